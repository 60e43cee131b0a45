"""How a position looks to one seat, made from its view alone.

The only way from a state to anything that leaves the authority is `Showing._visible`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from archipel.rules.contract import NOBODY, SPECTATOR
from archipel.rules.scene import Cell, Choice, Piece, Scene
from archipel.tables import shown
from archipel.tables.decisions.learning import decision_at
from archipel.tables.decisions.taking_back import seats_that_may_take_back
from archipel.tables.looking_back import seen_of_the_past
from archipel.tables.showing import result_at, show_happening
from archipel.tables.table import Table


class _Picture:
    """What a view looks like to the seat to move, or to any other."""

    __slots__ = ("decides", "question", "scene", "sights", "view")

    def __init__(
        self, view: Any, decides: bool, scene: Scene, question: shown.Happening | None
    ) -> None:
        self.view = view
        self.decides = decides
        self.scene = scene
        self.question = question
        #: What is made of it, by whether one may take something back.
        self.sights: dict[bool, Sight] = {}


class Sight(Struct, frozen=True, eq=False):
    """What somebody is shown of the position after event n, not yet put into a message."""

    n: int
    to_move: int | None
    question: shown.Happening | None
    scene: Scene
    choices: tuple[Choice, ...]
    result: shown.Result | None
    may_take_back: bool
    take_back_asked_by: int | None

    def whole(self, seat: int | None, text: str | UnsetType = UNSET) -> shown.Position:
        """For the eyes of a seat to which it looks like this."""
        return shown.Position(
            n=self.n,
            seat=seat,
            to_move=self.to_move,
            question=self.question,
            scene=show_scene(self.scene, self.choices),
            result=self.result,
            may_take_back=self.may_take_back,
            take_back_asked_by=self.take_back_asked_by,
            text=text,
        )


class Showing:
    """The position after event n, the last by default, for one seat after another.

    ``revealed``: with everything hidden, once the secret is open; the last position of a game that
    is over is always shown so.  Seats whose views are equal share the work, and so does the seat to
    move with those who only look on.
    """

    def __init__(self, table: Table, n: int | None = None, *, revealed: bool = False) -> None:
        self._table = table
        self._n = table.n if n is None else n
        self._state = table.state_at(self._n)
        self._is_now = self._n >= table.position_n
        self._is_open = table.secret is not None and (revealed or self._is_now)
        self._result = result_at(table, self._n)
        asked = table.take_back if self._is_now else None
        self._asked_by = None if asked is None else asked.seat
        self._may_take_back = seats_that_may_take_back(table) if self._is_now else frozenset()
        self._mover = NOBODY if self._state is None else self._to_move()
        definition = table.definition
        #: What sets views apart, where the game tells; of the past it does not.
        self._sees = definition.sees if self._state is table.state else None
        self._pictures: list[_Picture] = []
        #: By what sets a view apart, and whether it is that of the seat to move.
        self._by_eyes: dict[Hashable, _Picture] = {}
        self._by_seat: dict[int | None, _Picture] = {}

    def position(self, seat: int | None) -> shown.Position | None:
        """As a seat sees it, None as a spectator does; None before the game began."""
        sight = self.sight(seat)
        if sight is None:
            return None
        text = self._table.definition.position_text(self._picture(seat).view)
        return sight.whole(seat, text)

    def sight(self, seat: int | None) -> Sight | None:
        """As `position`, not yet in words; one and the same for those to whom the position looks
        alike in all but whose eyes they are."""
        if self._state is None:
            return None
        picture = self._picture(seat)
        may_take_back = seat in self._may_take_back
        sight = picture.sights.get(may_take_back)
        if sight is None:
            mover = self._mover
            mine = picture.decides and self._is_now and _may_decide(self._table, mover)
            sight = picture.sights[may_take_back] = Sight(
                self._n,
                None if mover == NOBODY else mover,
                picture.question,
                picture.scene,
                picture.scene.choices if mine else (),
                self._result,
                may_take_back,
                self._asked_by,
            )
        return sight

    def _to_move(self) -> int:
        """Who is to move, which every view shows; nobody if the game has been broken off here."""
        if self._is_now:
            seat = self._table.to_move
            return NOBODY if seat is None else seat
        return self._table.definition.to_move(self._state)

    def _picture(self, seat: int | None) -> _Picture:
        """The seat's own, or that of one who sees the same."""
        picture = self._by_seat.get(seat)
        if picture is not None:
            return picture
        decides = seat is not None and seat == self._mover
        if self._sees is None:
            picture = self._made_or_found(self._visible(seat), decides)
        else:
            what = self._sees(self._state, SPECTATOR if seat is None else seat)
            picture = self._by_eyes.get((what, decides))
            if picture is None:
                alike = self._by_eyes.get((what, not decides))
                view = self._visible(seat) if alike is None else alike.view
                picture = self._by_eyes[what, decides] = self._made(view, decides, alike)
        self._by_seat[seat] = picture
        return picture

    def _made_or_found(self, view: Any, decides: bool) -> _Picture:
        alike: _Picture | None = None
        for made in self._pictures:
            if made.view == view:
                if made.decides == decides:
                    return made
                alike = made
        return self._made(view, decides, alike)

    def _made(self, view: Any, decides: bool, alike: _Picture | None) -> _Picture:
        """``alike`` is that of the same view for others."""
        # A scene is made from a view alone, but for what only the seat to move is offered: it has
        # a picture of its own, also where all see the same, so that the others' tells nothing of
        # whether it does.
        definition, mover = self._table.definition, self._mover
        eyes = mover if decides else NOBODY
        beside = definition.scene_beside
        if beside is None or not self._pictures:
            scene = definition.scene(view, eyes)
        else:
            known = alike or self._pictures[0]
            scene = beside(view, eyes, known.view, known.scene)
        if alike is not None:
            question = alike.question
        else:
            question = None if mover == NOBODY else show_happening(definition.question(view))
        picture = _Picture(view, decides, scene, question)
        self._pictures.append(picture)
        return picture

    def _visible(self, seat: int | None) -> Any:
        """What a seat may see of the state; all of it when its secret is open to everybody."""
        if self._is_open:
            return self._state
        return seen_of_the_past(self._table, self._state, seat)


def _may_decide(table: Table, mover: int) -> bool:
    """Unless a bot plays for them; and in a lesson there is a time to read, too."""
    if table.seats[mover].bot is not None:
        return False
    return table.progress is None or decision_at(table) is not None


# Cells, pieces and choices of a scene have the fields of those that leave the authority, in the
# same order: they are not copied, however many are told of them.


def show_scene(scene: Scene, choices: Sequence[Choice]) -> shown.Scene:
    return shown.Scene(
        cells=list(scene.cells),  # type: ignore[arg-type]
        pieces=list(scene.pieces),  # type: ignore[arg-type]
        gauges=dict(scene.gauges),
        choices=show_choices(choices),
    )


def show_cells(cells: list[tuple[int, Cell]]) -> list[tuple[int, shown.Cell]]:
    return cells  # type: ignore[return-value]


def show_pieces(pieces: list[tuple[int, Piece]]) -> list[tuple[int, shown.Piece]]:
    return pieces  # type: ignore[return-value]


def show_choices(choices: Sequence[Choice]) -> list[shown.Choice]:
    return list(choices)  # type: ignore[arg-type]
