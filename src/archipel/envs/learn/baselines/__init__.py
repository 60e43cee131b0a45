"""Trained policies that come with the package; `docs/environments/learning.md` has their strength.

Per game and kind there is a policy file and a learning curve with its settings and command.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

#: Trained against itself, or against a bot.
KINDS: Final = ("self-play", "bots")

FOLDER: Final = Path(__file__).parent


def baselines(kind: str) -> dict[str, Path]:
    """Policy files by game, for `archipel.envs.learn.policy.Policy.load`.

    Raises ValueError for a kind that is not one of `KINDS`.
    """
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no kind of baseline: choose one of {', '.join(KINDS)}")
    return {file.name.partition(".")[0]: file for file in sorted(FOLDER.glob(f"*.{kind}.npz"))}
