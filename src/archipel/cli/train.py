"""``archipel train``: train the evaluation net of a game by expert iteration."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from archipel.cli.argument_values import find_game
from archipel.cli.errors import UserError, resumable
from archipel.cli.output import decimal
from archipel.cli.record_files import reports_os_errors
from archipel.rules.catalogue import Catalogue


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    if find_spec("torch") is None:
        raise UserError("learn.extra")
    # Imported late: it needs PyTorch.
    from archipel.study.training.expert_iteration import RECIPES, Training, TrainingError

    game = find_game(arguments.game or "deep-sea")
    if game.name not in RECIPES:
        raise UserError("train.no_recipe", game=game.name, known=", ".join(RECIPES))
    wanted = ("games", "simulations", "seed")
    given = {name: getattr(arguments, name) for name in wanted}
    recipe = replace(
        RECIPES[game.name], **{name: value for name, value in given.items() if value is not None}
    )
    folder = Path(arguments.to or f"training-{game.name}")

    def tell(line: dict[str, Any]) -> None:
        if arguments.json:
            print(json.dumps(line), flush=True)
        else:
            print(_told(line, words), flush=True)

    with reports_os_errors(folder), resumable(folder):
        try:
            training = Training(folder, recipe)
            training.run(arguments.generations, tell)
        except TrainingError as error:
            raise UserError("train.refused", reason=error) from None
        best = training.generations[-1]["best"]
    if not arguments.json:
        print(words.say("train.done", net=folder / "nets" / f"{best}.json"))
    return 0


def _told(line: dict[str, Any], words: Catalogue) -> str:
    figures = {
        "generation": line["generation"],
        "positions": line["positions"],
        **{
            name: f"{line[name]:.3f}".replace(".", words.say("simulate.decimal_mark"))
            for name in ("loss", "blind")
        },
        "net": line["net"],
    }
    if "share" not in line:
        return words.say("train.first", **figures)
    ends = [decimal(100 * end, words) for end in (line["share"], *line["interval"])]
    key = "train.kept" if line["best"] == line["net"] else "train.dropped"
    return words.say(key, **figures, share=ends[0], low=ends[1], high=ends[2])
