"""Why an action is illegal: the rule that it breaks."""

from __future__ import annotations

from archipel.rules.contract import Refusal
from archipel.rules.deep_sea.state import DISC, Action, Phase, State


def refusal(s: State, action: int) -> Refusal:
    """Return why an action is illegal in a position."""
    if s.phase == Phase.OVER:
        return Refusal("DS-G1", "refuse.over")
    if s.phase == Phase.LAY:
        if action >= Action.LAY_DOWN:
            return _no_such_unit(s)
        return Refusal("DS-E8", "refuse.lay_first")
    if action >= Action.LAY_DOWN:
        return Refusal("DS-E8", "refuse.nothing_to_lay")
    if s.phase == Phase.THROW:
        return _refused_throw(s, action)
    return _refused_search(s, action)


def _refused_throw(s: State, action: int) -> Refusal:
    if action in (Action.DIVE, Action.TURN_BACK) and s.turned[s.to_move]:
        return Refusal("DS-T2", "refuse.already_turned")
    if action == Action.TURN_BACK:
        return Refusal("DS-T2", "refuse.turn_back_empty")
    if action == Action.SWIM_ON:
        return Refusal("DS-T10", "refuse.not_turned")
    return Refusal("DS-T10", "refuse.throw_first")


def _refused_search(s: State, action: int) -> Refusal:
    diver = s.to_move
    if action in (Action.DIVE, Action.TURN_BACK, Action.SWIM_ON):
        return Refusal("DS-T6", "refuse.search_first")
    if action == Action.TAKE:
        return Refusal("DS-T6", "refuse.nothing_here")
    if s.line[s.place[diver]] != DISC:
        return Refusal("DS-T6", "refuse.no_disc_here")
    if action - Action.PUT < s.load[diver]:
        return Refusal("DS-T7", "refuse.last_unit")
    return _no_such_unit(s)


def _no_such_unit(s: State) -> Refusal:
    return Refusal("DS-T11", "refuse.no_such_unit", {"load": s.load[s.to_move]})
