"""A policy file, or the baselines of a kind, as a bot program (see docs/writing-bots.md).

usage: python -m archipel.envs.learn.policy_bot FILE | baseline:KIND
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy
import torch

from archipel.bots.external.bot_program import BASELINE
from archipel.envs.learn.baselines import baselines
from archipel.envs.learn.policy import Policy
from archipel.envs.observation_spec import spec_of
from archipel.rules.all_games import game_named


class PolicyBot:
    """Answers the lines of the protocol; a policy is loaded when its game is played."""

    def __init__(self, given: str) -> None:
        """Find a policy file, or the baselines of a kind; raises ValueError or OSError."""
        self._policies: dict[str, Policy] = {}
        self._files: dict[str, Path] = {}
        if given.startswith(BASELINE):
            self._files = baselines(given.removeprefix(BASELINE))
        else:
            policy = Policy.load(Path(given))
            self._policies[policy.game] = policy
        self.games = [*self._files, *self._policies]

    def _policy(self, game: str) -> Policy:
        if game not in self._policies:
            self._policies[game] = Policy.load(self._files[game])
        return self._policies[game]

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """The answer to a line of the protocol."""
        if message["type"] == "hello":
            return {"type": "ready", "games": self.games}
        policy = self._policy(message["game"])
        state = msgspec.convert(message["view"], game_named(policy.game).state)
        spec = spec_of(policy.game)
        mask = numpy.zeros((1, spec.actions), numpy.int8)
        mask[0, [each["action"] for each in message["legal"]]] = 1
        obs = spec.observe(state, message["seat"])[None]
        return {"action": int(policy.greedy_actions(obs, mask)[0])}


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m archipel.envs.learn.policy_bot FILE|baseline:KIND", file=sys.stderr)
        return 2
    try:
        bot = PolicyBot(arguments[0])
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    for line in sys.stdin:
        print(json.dumps(bot.answer(json.loads(line))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
