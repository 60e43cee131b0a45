"""The choices of a bot, in games and in hand-made positions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from archipel.bots.mauna_kea.roster import choose
from archipel.bots.random_play import RANDOM
from archipel.game import Game
from archipel.rules.kit import Stream, clone, stream_key
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.mauna_kea.state import State


def decisions(bot: int, games: int) -> Iterator[tuple[State, list[int]]]:
    """Positions with a choice, from games of a bot against random."""
    for number in range(games):
        options = MAUNA_KEA.make_options(2 + number % 3, expert=number % 2 == 1)
        chance = Stream(stream_key(7, number))
        picks = Stream(stream_key(8, number))
        s = MAUNA_KEA.new(options, chance)
        while (seat := MAUNA_KEA.to_move(s)) >= 0:
            legal = MAUNA_KEA.legal_actions(s)
            if len(legal) > 1:
                yield clone(s), legal
            mover = bot if (seat + number) % 2 else RANDOM
            seen = MAUNA_KEA.seen(s, seat)
            MAUNA_KEA.apply(s, choose(seen, mover, legal, len(legal), picks), chance)


def chosen(bot: int, s: State, legal: list[int]) -> int:
    return choose(MAUNA_KEA.seen(s, MAUNA_KEA.to_move(s)), bot, legal, len(legal), Stream())


def choice(bot: int, game: Game) -> str:
    """The bot's choice in a position, in notation."""
    legal = [int(action) for action in game.legal]
    return MAUNA_KEA.action_text(game.state, chosen(bot, game.state, legal))


def hash_of_choices(bot: int, games: int) -> str:
    choices = [chosen(bot, s, legal) for s, legal in decisions(bot, games)]
    assert len(choices) > 300
    return hashlib.sha256(repr(choices).encode()).hexdigest()[:20]


def check_contract(bot: int, games: int) -> None:
    """Check that a bot chooses legally, keeps its view and uses no hidden information."""
    for number, (s, legal) in enumerate(decisions(bot, games)):
        seat = MAUNA_KEA.to_move(s)
        view = MAUNA_KEA.seen(s, seat)
        before = clone(view)
        answer = choose(view, bot, legal, len(legal), Stream())
        assert answer in legal
        assert view == before
        world = MAUNA_KEA.resample(s, seat, Stream(number))
        assert chosen(bot, world, legal) == answer
