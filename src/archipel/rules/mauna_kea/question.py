"""What is asked now (told outside the rules)."""

from __future__ import annotations

from archipel.rules.contract import Event
from archipel.rules.mauna_kea.components import CARD_NAMES, DEALT, KEPT, NO_TILE
from archipel.rules.mauna_kea.geometry import cell_name, space_name
from archipel.rules.mauna_kea.state import (
    CARD_CELL,
    CARD_EXPLORER,
    CHOOSE,
    EXPLORER,
    LEAVE,
    NO_CARD,
    NOT_YET,
    OVER,
    PLACE,
    PLAY,
    QUAKE_DRAW,
    QUAKE_SPACE,
    QUAKE_TURN,
    REFILL,
    SPACE,
    State,
    explorers_each,
    explorers_on_island,
)
from archipel.rules.mauna_kea.tiles import points_in_front
from archipel.rules.mauna_kea.turn import must_draw


def question(s: State) -> Event:
    """What the seat to move is asked now."""
    seat = s.to_move
    if s.phase == OVER:
        return Event("ask.over")
    if s.phase == CHOOSE:
        held = sum(card != NO_CARD for card in s.hand[seat][:DEALT])
        return Event(f"ask.choose.{'one' if held - KEPT == 1 else 'many'}", {"seat": seat})
    if s.phase == PLACE:
        left = explorers_each(s) - explorers_on_island(s, seat)
        return Event(f"ask.place.{'one' if left == 1 else 'many'}", {"seat": seat, "count": left})
    if s.phase == PLAY:
        return _ask_play(s, seat)
    if s.phase == REFILL:
        points = points_in_front(s, seat)
        key = "ask.refill.draw" if must_draw(s) else "ask.refill.done"
        return Event(key, {"seat": seat, "points": points})
    return _ask_stage(s, seat)


def _ask_play(s: State, seat: int) -> Event:
    tiles = sum(tile != NO_TILE for tile in s.front[seat])
    details = {"seat": seat, "tiles": tiles, "points": points_in_front(s, seat), "pool": s.pool}
    when = "" if s.ending == NOT_YET else ".last"
    if tiles == 0 and s.pool == 0:
        return Event(f"ask.play.done{when}", details)
    return Event(f"ask.play{'.pool' if s.pool else '.tiles'}{when}", details)


def _ask_stage(s: State, seat: int) -> Event:
    if s.phase in (EXPLORER, LEAVE, CARD_CELL):
        place = cell_name(s.explorer[seat][s.active])
        details = {"seat": seat, "explorer": s.active + 1, "cell": place, "pool": s.pool}
        kind = {EXPLORER: "explorer", LEAVE: "leave", CARD_CELL: "card_cell"}[s.phase]
        return Event(f"ask.{kind}", details)
    if s.phase == CARD_EXPLORER:
        return Event(f"ask.card_explorer.{CARD_NAMES[s.card]}", {"seat": seat})
    if s.phase == SPACE:
        return Event("ask.space.quake" if s.card != NO_CARD else "ask.space", {"seat": seat})
    if s.phase == QUAKE_SPACE:
        return Event("ask.quake_space", {"seat": seat})
    if s.phase == QUAKE_DRAW:
        return Event("ask.quake_draw", {"seat": seat})
    key = "ask.quake_turn" if s.phase == QUAKE_TURN else "ask.turn"
    return Event(key, {"seat": seat, "space": space_name(s.chosen)})
