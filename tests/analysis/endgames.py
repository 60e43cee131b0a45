"""Endgames of Deep Sea Adventure, short enough to analyse without a compiler."""

from __future__ import annotations

from archipel import Game
from archipel.bots import Bot

#: Two divers on their last way home; the first has more treasure and is farther away.
LAST_WAY_HOME = "seats=2 round=3 air=11 turn=2 diver1=6>[d1,c1] diver2=4<[a1,a2]"


def last_way_home(seed: int, bot: str = "greedy", *, blunder: bool = False) -> Game:
    """Played by the bot; with ``blunder`` the first diver dives on once instead of turning back."""
    game: Game = Game.from_position("deep-sea", LAST_WAY_HOME, seed=seed)
    player = Bot.named("deep-sea", bot)
    has_blundered = False
    for decision in game:
        action = player.choose(decision.view.state, decision.legal, seed=len(game.moves))
        if blunder and decision.seat == 0 and not has_blundered:
            has_blundered = True
            game.play("dive")
        else:
            game.play(action)
    return game


def first_of(game: Game, seat: int) -> int:
    """The number of a seat's first move."""
    return next(number for number, move in enumerate(game.moves) if move.seat == seat)
