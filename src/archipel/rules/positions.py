"""A position to look at: the whole one, or the view of one seat.

A game may add accessors of its own (its module ``accessors``): pieces and places by their names in
notation, with None for unknown values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from archipel.rules.scene import Cell, Piece

if TYPE_CHECKING:
    from archipel.rules.contract import Definition
    from archipel.rules.options import Options

_NOBODY = -1


class Position:
    """Prints as a picture, compares by its state, and gives pieces and places by their names.

    ``position["w1"]`` is a piece or a place; which names there are depends on the game.  Seats are
    numbered from 0.
    """

    #: Names to suggest when somebody asks for an unknown one.
    examples: ClassVar[str] = ""

    def __init__(self, definition: Definition[Any], state: Any) -> None:
        self.definition = definition
        self.state = state

    @property
    def text(self) -> str:
        """The position in notation, on one line; question marks are unknown values."""
        return self.definition.position_text(self.state)

    @property
    def options(self) -> Options:
        """The options of the game, as far as the position has them."""
        return self.definition.read_options(self.state)

    @property
    def seats(self) -> int:
        return self.options.seats

    @property
    def to_move(self) -> int | None:
        """The seat that decides next, or None when the game is over."""
        seat = self.definition.to_move(self.state)
        return None if seat == _NOBODY else seat

    @property
    def is_over(self) -> bool:
        return self.to_move is None

    def __getitem__(self, name: str) -> Any:
        """A piece or a place by its name. Raises `KeyError` with examples of names."""
        found = self._named(name)
        if found is None:
            hint = f": say {self.examples}" if self.examples else ""
            raise KeyError(f"{self.definition.name} has nothing called {name!r}{hint}")
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._named(name) is not None

    def _named(self, name: str) -> object | None:
        """A piece or a place of the scene; games with accessors of their own override this."""
        scene = self.definition.scene(self.state, _NOBODY)
        things: tuple[Piece | Cell, ...] = (*scene.pieces, *scene.cells)
        return next((thing for thing in things if thing.id == name), None)

    def __str__(self) -> str:
        return self.definition.picture(self.state, "en")

    def __repr__(self) -> str:
        doing = "over" if self.is_over else f"seat {self.to_move} to move"
        return f"<{self.definition.name} position, {self.seats} seats, {doing}>"

    def _repr_svg_(self) -> str:
        return self.definition.drawing(self.state, "en")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.definition is other.definition and bool(self.state == other.state)

    def __hash__(self) -> int:
        return hash(self.text)
