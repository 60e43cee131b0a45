"""Generate the pages of the environments: the layout of each game's observation.

python -m tools.environment_pages          write them
python -m tools.environment_pages --check  list those that are out of date
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from archipel import Game
from archipel.bots import bots_of, levels_of
from archipel.envs.observation_spec import VERSION, environment_name, spec_of
from archipel.rules.all_games import HOUSE_GAMES, game_named
from archipel.rules.kit.core.observations import Part
from archipel.rules.options import choice_text

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "environments"

#: Fields with at most this many channels list each channel.
MOST_NAMED = 16


def page_of(game: str) -> Path:
    return FOLDER / f"{game}.md"


def page(game: str) -> str:
    return "\n".join(_lines(game)) + "\n"


def _lines(game: str) -> Iterator[str]:
    definition, spec = game_named(game), spec_of(game)
    yield f"# Environment: {definition.title('en')}"
    yield ""
    yield "Made by `python -m tools.environment_pages` from the declaration of the observation; do"
    yield "not edit. [Environments](../environments.md) tells what all of them have in common."
    yield ""
    yield "| | |"
    yield "| --- | --- |"
    yield f"| name | `{environment_name(game)}` |"
    yield f"| in OpenSpiel | `archipel_{game.replace('-', '_')}` |"
    yield f"| seats | {definition.seats[0]} to {definition.seats[-1]} |"
    yield f"| actions | {definition.actions}, at most {definition.most_legal} legal at a time |"
    yield f"| numbers of an observation | {spec.size} (version {VERSION}) |"
    bots = [f"`{bot.name}`" for bot in (*bots_of(game), *levels_of(game))]
    yield f"| opponents | {', '.join(bots)} |"
    for option in definition.options:
        choices = ", ".join(f"`{choice_text(choice)}`" for choice in option.choices)
        yield f"| option `{option.name}` | {choices} ({option.rule}) |"
    yield ""
    yield "## Observation"
    yield ""
    yield "Numbers from 0 to 1, from -1 where the table says so. Axes are those of the state; the"
    yield "last, where there are several channels, is the channels."
    yield ""
    yield "| part | from | shape | meaning | channels |"
    yield "| --- | --: | --- | --- | --- |"
    for part in spec.parts:
        shape = " × ".join(str(length) for length in part.shape)
        yield f"| `{part.name}` | {part.offset} | {shape} | {_meaning(part)} | {_channels(part)} |"
    yield from _actions(game)
    if spec.left_out:
        yield ""
        yield "Left out of the observation:"
        yield ""
        for name, why in spec.left_out.items():
            yield f"- `{name}`: {why}."


def picture(game: str) -> str:
    """A first position, whose drawing has the names that actions use."""
    return f"{Game.new(game, seed=1).position._repr_svg_()}\n"


def _actions(game: str) -> Iterator[str]:
    """The table of the action numbers."""
    spec = spec_of(game)
    yield ""
    yield "## Actions"
    yield ""
    yield "What a number means depends on the phase; `spec_of(game).action_names(phase)` has every"
    yield "name."
    yield ""
    yield f"![The board, with the names of its places]({game}.svg)"
    yield ""
    yield "| actions | names | meaning | phases |"
    yield "| --- | --- | --- | --- |"
    for each in spec.action_ranges:
        last = each.first + len(each.names) - 1
        numbers = f"{each.first}" if last == each.first else f"{each.first} to {last}"
        names = each.names
        if len(names) > MOST_NAMED:
            names = (*names[:3], "…", names[-1])
        phases = ", ".join(spec.phases[phase] for phase in each.phases)
        yield f"| {numbers} | {', '.join(names)} | {each.meaning} | {phases} |"


def _meaning(part: Part) -> str:
    meaning = part.meaning.replace("|", "\\|")
    return f"{meaning}. By seat: {part.order}" if part.order else meaning


def _channels(part: Part) -> str:
    named = part.channels
    if len(named) > MOST_NAMED:
        named = (*named[: MOST_NAMED // 2], f"… {len(part.channels)} in all")
    return "; ".join(named) + ("; from -1" if part.lowest < 0 else "")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="The pages of the environments.")
    parser.add_argument(
        "--check", action="store_true", help="list the pages that are out of date; write nothing"
    )
    check = parser.parse_args(arguments).check
    stale = 0
    for definition in HOUSE_GAMES:
        path = page_of(definition.name)
        drawn = path.with_suffix(".svg"), picture(definition.name)
        for file, text in ((path, page(definition.name)), drawn):
            if file.exists() and file.read_text("utf-8") == text:
                continue
            stale += 1
            print(f"{file.relative_to(ROOT)}: {'out of date' if check else 'written'}")
            if not check:
                file.write_text(text, "utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
