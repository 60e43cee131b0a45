"""Random games over all seat counts and options of a game."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from archipel.game import Game
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, stream_key
from archipel.rules.options import OptionError, Options


def every_options(definition: Definition[Any]) -> list[Options]:
    """Return every allowed seat count with every allowed combination of choices."""
    names = [option.name for option in definition.options]
    found = []
    for seats in definition.seats:
        for values in itertools.product(*(option.accepted for option in definition.options)):
            try:
                found.append(
                    definition.make_options(seats, **dict(zip(names, values, strict=True)))
                )
            except OptionError:
                continue
    return found


def some_options(definition: Definition[Any], count: int) -> list[Options]:
    """Return ``count`` options spread over all combinations, so that every choice occurs early."""
    options = every_options(definition)
    step = max(1, len(options) // count)
    while len(options) % step == 0 and step > 1:  # a divisor would repeat the same inner choices
        step -= 1
    spread = [options[index * step % len(options)] for index in range(count)]
    return list(dict.fromkeys(spread))


def random_game(definition: Definition[Any], options: Options, seed: int) -> Iterator[Game]:
    """Yield the same game object at each decision of random play, and at the end."""
    chance = Stream(stream_key(seed, 1))
    game = Game(definition, definition.new(options, chance), options, chance)
    choice = Stream(stream_key(seed, 2))
    while not game.is_over:
        yield game
        legal = game.legal
        game.play(legal[choice.draw(len(legal))])
    yield game
