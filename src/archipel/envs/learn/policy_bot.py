"""A policy file as a bot program (see docs/writing-bots.md).

usage: python -m archipel.envs.learn.policy_bot FILE
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy
import torch

from archipel.envs.learn.policy import Policy, PolicyError
from archipel.envs.observation_spec import spec_of
from archipel.rules.all_games import game_named


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m archipel.envs.learn.policy_bot FILE", file=sys.stderr)
        return 2
    try:
        policy = Policy.load(Path(arguments[0]))
    except (PolicyError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    for line in sys.stdin:
        print(json.dumps(answer(policy, json.loads(line))), flush=True)
    return 0


def answer(policy: Policy, message: dict[str, Any]) -> dict[str, Any]:
    """The answer to a line of the protocol."""
    if message["type"] == "hello":
        return {"type": "ready", "games": [policy.game]}
    state = msgspec.convert(message["view"], game_named(policy.game).state)
    spec = spec_of(policy.game)
    legal = [each["action"] for each in message["legal"]]
    mask = numpy.zeros(spec.actions, numpy.int8)
    mask[legal] = 1
    obs = torch.from_numpy(spec.observe(state, message["seat"]))
    with torch.no_grad():
        chances = policy.log_probs(obs[None], torch.from_numpy(mask)[None])[0].exp()
    return {"action": int(chances.argmax())}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
