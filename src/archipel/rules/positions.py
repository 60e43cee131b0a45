"""A position as one looks at it: whole, or as one seat sees it.

Each game may add accessors of its own (its module ``looking``): what lies where, by the names that
notation has for things, unknown things being None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from archipel.rules.scene import Cell, Piece

if TYPE_CHECKING:
    from archipel.rules.contract import Definition
    from archipel.rules.options import Options

_NOBODY = -1


class Position:
    """Prints as a picture, compares by what is in it, and gives things by their names.

    ``position["w1"]`` is a piece or a place; what there is depends on the game.  Seats are numbered
    from 0.
    """

    #: What a mistyped name is told.
    examples: ClassVar[str] = ""

    def __init__(self, definition: Definition[Any], state: Any) -> None:
        self.definition = definition
        self.state = state

    @property
    def text(self) -> str:
        """In notation, on one line; unknown things are question marks."""
        return self.definition.position_text(self.state)

    @property
    def options(self) -> Options:
        """What is played with, as far as the position tells."""
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
        """A piece or a place by its name; raises `KeyError`, which says what names there are."""
        found = self._named(name)
        if found is None:
            hint = f": say {self.examples}" if self.examples else ""
            raise KeyError(f"{self.definition.name} has nothing called {name!r}{hint}")
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._named(name) is not None

    def _named(self, name: str) -> object | None:
        """Games without accessors of their own give what their scene shows."""
        things: tuple[Piece | Cell, ...] = (*self._scene_pieces(), *self._scene_cells())
        return next((thing for thing in things if thing.id == name), None)

    def _scene_pieces(self) -> tuple[Piece, ...]:
        return self.definition.scene(self.state, _NOBODY).pieces

    def _scene_cells(self) -> tuple[Cell, ...]:
        return self.definition.scene(self.state, _NOBODY).cells

    def __str__(self) -> str:
        return self.definition.picture(self.state, "en")

    def __repr__(self) -> str:
        return f"<{self.definition.name} position {self.text}>"

    def _repr_svg_(self) -> str:
        return self.definition.drawing(self.state, "en")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.definition is other.definition and bool(self.state == other.state)

    def __hash__(self) -> int:
        return hash(self.text)
