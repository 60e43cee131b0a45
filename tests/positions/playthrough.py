"""Play a position to the end: compiled with bounds checks, and interpreted."""

from __future__ import annotations

from typing import Any

from archipel.game import Game, Position
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import NOBODY, Definition
from archipel.rules.kit import Stream, clone, stream_key
from archipel.rules.kit.numba.compile_cache import default_cache
from archipel.rules.kit.numba.compiler import CHECKED, compile_program
from archipel.rules.play_out import MAX_DECISIONS
from archipel.study.soak import COMMON_FAILURES, ENDLESS, FAILED_AT, REPORT, SoakGames


class Compiled:
    """The rules of a game, compiled with bounds checks."""

    def __init__(self, definition: Definition[Any]) -> None:
        self.definition = definition
        self.program = compile_program(
            definition.program(SoakGames(definition.rules).play_on), CHECKED, default_cache()
        )
        self.states = self.program.states(1)
        self.actions = self.program.numbers(definition.most_legal)

    def play(self, state: Any, key: int, pause: int) -> tuple[str, Any, Any]:
        """Return the failure or "", the state after at most ``pause`` decisions, and the last."""
        self.program.write(self.states, 0, state)
        chance, choices = (self.program.stream(stream_key(key, stream)) for stream in range(2))
        found, states = ENDLESS, []
        for most in (pause, MAX_DECISIONS):
            report = self.program.numbers(REPORT)
            if found == ENDLESS:
                found = self.program.play_on(
                    self.states[0], self.actions, chance, choices, most, report
                )
            states.append(self.program.read(self.states, 0))
        wrong = "" if found == 0 else COMMON_FAILURES.get(found) or self.definition.faults[found]
        return wrong and f"{wrong}, after {report[FAILED_AT]} decisions", *states


def play_interpreted(definition: Definition[Any], state: Any, key: int) -> None:
    """Play to the end, with narration, pictures, scenes and round trips on the way."""
    chance, choices = (Stream(stream_key(key, stream)) for stream in range(2))
    start = clone(state)
    definition.deal_unseen(start, chance)
    game = Game(definition, start, definition.read_options(start), chance)
    while not game.is_over:
        legal = game.legal
        action = legal[choices.draw(len(legal))]
        assert game.parse(action.text) == action
        game.play(action)
        look = len(game.moves) % 16 == 1
        for language in LANGUAGES if look else ():
            game.narrate(language=language)
            definition.picture(game.state, language)
            definition.drawing(game.state, language)
            for seat in (NOBODY, game.to_move or 0):
                definition.scene(game.view(None if seat == NOBODY else seat).state, seat)
            read_back(definition, game.state)
        assert definition.fault(game.state) == 0
    assert game.outcome is not None


def read_back(definition: Definition[Any], state: Any) -> None:
    """Check that the position and two views equal the positions of their texts."""
    seats = definition.read_options(state).seats
    for seen in (state, definition.seen(state, state.seats % seats), definition.seen(state, -1)):
        text = Position(definition, seen).text
        assert definition.parse_position(text) == seen, text
