"""Games in which any Python function may play, beside the bots of the house.

Slower than `simulate`, whose bots are rules, but open to whatever one can write.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from archipel.bots import Bot
from archipel.game import Decision, Game
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream, stream_key
from archipel.study.backends import OnProgress, Progress, silent
from archipel.study.result import SimulationResult
from archipel.study.tally import Tally

Player = Callable[[Decision], int | str]


def match(
    game: str,
    players: Sequence[Player | str],
    games: int,
    *,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    on_progress: OnProgress = silent,
) -> SimulationResult:
    """Play games between functions and bots, one per seat, and count what comes of them.

    A function is given a `Decision` (its seat, its legal actions and its view of the position) and
    returns an action, as a number or in notation.  A bot is given by its name.  Seats rotate from
    game to game.  Chance, and what bots leave to it, follows the seed.

    Raises `RuleError` or `NotationError` where a function plays something that is not legal.
    """
    definition = game_named(game)
    chosen = definition.make_options(len(players), **(options or {}))
    entrants = [_player(game, player, seed) for player in players]
    tally, begun = Tally(chosen.seats), time.perf_counter()
    for number in range(games):
        chance = Stream(stream_key(seed % 2**64, number))
        played = Game(definition, definition.new(chosen, chance), chosen, chance)
        shift = number % chosen.seats
        for decision in played:
            played.play(entrants[(decision.seat - shift) % chosen.seats](decision))
        outcome = played.outcome
        assert outcome is not None
        sits = [(entrant + shift) % chosen.seats for entrant in range(chosen.seats)]
        ranks = [[outcome.ranks[seat]] for seat in sits]
        scores = [[outcome.scores[seat]] for seat in sits]
        tally.add([shift], [len(played.moves)], ranks, scores)
        on_progress(Progress(number + 1, games))
    return SimulationResult(
        game=game,
        rules_version=definition.rules_version,
        board=definition.board,
        options=chosen,
        bots=tuple(_name(game, player) for player in players),
        seed=seed,
        rotate=True,
        tally=tally,
        compiled=False,
        seconds=time.perf_counter() - begun,
    )


def _player(game: str, player: Player | str, seed: int) -> Player:
    if not isinstance(player, str):
        return player
    bot = Bot.named(game, player)
    choices = Stream(stream_key(seed % 2**64, 2**63))

    def choose(decision: Decision) -> int:
        return bot.choose(decision.view.state, decision.legal, chance=choices)

    return choose


def _name(game: str, player: Player | str) -> str:
    if isinstance(player, str):
        return Bot.named(game, player).name
    return getattr(player, "__name__", type(player).__name__)
