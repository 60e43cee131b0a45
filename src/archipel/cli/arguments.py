"""The commands and their arguments; help texts come from the sentences of each language."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

import archipel
from archipel.bots.external.bot_program import DECISION_SECONDS
from archipel.bots.external.line_process import usable_cores
from archipel.cli import (
    analyse,
    bench,
    chaos,
    databases,
    games,
    hosting,
    ladder,
    learn,
    match,
    new_game,
    play,
    puzzles,
    replay,
    site,
    study,
    train,
)
from archipel.cli.argument_values import bot_seconds, executor_name, fraction, whole_number
from archipel.cli.errors import UserError
from archipel.rules.booklet import LANGUAGES
from archipel.rules.catalogue import Catalogue
from archipel.study.executors.executor import PROCESSES

Run = Callable[[argparse.Namespace, Catalogue], int]


def _values(metavar: str, names: str, **keywords: Any) -> dict[str, dict[str, Any]]:
    return {name: {"metavar": metavar, **keywords} for name in names.split()}


def _flags(names: str) -> dict[str, dict[str, Any]]:
    return {name: {"action": "store_true"} for name in names.split()}


def _lists(metavar: str, names: str) -> dict[str, dict[str, Any]]:
    """Options that may be repeated."""
    return _values(metavar, names, action="append", default=[])


def _numbers(
    names: str,
    low: int,
    high: int,
    default: float | None = None,
    *,
    metavar: str = "number",
    parse: Callable[[str, int, int, str], float] = whole_number,
) -> dict[str, dict[str, Any]]:
    """Options with a number from ``low`` to ``high``."""
    return {
        name: {"metavar": metavar, "default": default, "type": partial(parse, name, low, high)}
        for name in names.split()
    }


_fractions = partial(_numbers, parse=fraction)

SEEDS = (0, 2**63 - 1)

#: The keywords of each argument for argparse.
ARGUMENTS: dict[str, dict[str, Any]] = {
    **_values(
        "file",
        "file --file --save --resume --draw --page --learning-curve --html --to --parquet --people",
    ),
    **_values("names", "--players --bots"),
    **_values("name", "name --opponents --evaluation-opponents"),
    **_values("folder", "--into --site"),
    **_numbers("--seats", 1, 99),
    **_numbers("--seed", *SEEDS),
    **_numbers("--per-shard", 1, 10**6, 100),
    **_numbers("--simulations", 2, 1_000_000),
    **_numbers("--choose", 1, 1000),
    **_numbers("--port", 0, 65_535),
    **_numbers("--workers", 1, 1024),
    **_numbers("--bot-cores", 1, len(usable_cores())),
    **_values("number", "--seat"),
    **_values("place", "--on", type=executor_name, default=PROCESSES),
    **_values("address", "--host"),
    **_values("path", "--base"),
    **_values("web_address", "--signalling --continue-on"),
    **_lists("address", "--stun --turn"),
    **_values("seconds", "--bot-time", type=bot_seconds, default=DECISION_SECONDS),
    **_values("level", "--log-level"),
    **{name: {"metavar": name.lstrip("-")} for name in ["source", "target", "--dice", "--device"]},
    **_values("database", "--database"),
    **_lists("board", "--board"),
    **_lists("program", "--bot"),
    **_lists("web_address", "--origin"),
    **_lists("address", "--trusted-proxy"),
    **_values("contact", "--security-contact"),
    **_lists("hash", "--commitment"),
    "game": {"nargs": "?", "metavar": "game"},
    "ids": {"nargs": "*", "metavar": "rule"},
    "--from": {"dest": "start", "metavar": "file"},
    "--set": {"dest": "settings", "action": "append", "default": [], "metavar": "setting"},
    "--rows": {"action": argparse.BooleanOptionalAction, "default": True},
    "--browser": {"action": argparse.BooleanOptionalAction, "default": None},
    "action": {"nargs": "?", "metavar": "action"},
    "folders": {"nargs": "*", "metavar": "folder"},
    **_flags("--json --force --show --whole --check --local --rendezvous --daily --clubs"),
    **_flags("--previews"),
    **_flags("--take-tables --fixed-seats"),
}
#: Arguments that differ in one command.
ARGUMENTS_OF: dict[str, dict[str, dict[str, Any]]] = {
    "simulate": _numbers("--games", 1, 10**12, 1000),
    "match": _numbers("--games", 1, 10**7, 100),
    "ladder": {
        **_numbers("--games", 1, 10**7, 100),
        **_numbers("--seats", 1, 99, 2),
        **_numbers("--seed", *SEEDS, 1),
    },
    "site": _values("folder", "--to"),
    "study": _values("folder", "--to"),
    "dataset": {**_numbers("--games", 1, 10**8, 1000), **_values("folder", "--to")},
    "learn": {
        **_numbers("--games", 1, 10**6, 4000),
        **_numbers("--points", 1, 10_000, 40),
        **_numbers("--seats", 2, 99),
        **_numbers("--total-timesteps", 0, 10**12),
        **_numbers("--num-envs", 1, 10**6),
        **_numbers("--n-steps --minibatches --hidden-size", 1, 10_000),
        **_numbers("--epochs", 1, 100),
        **_numbers("--seed", 1, 10**9),
        **_fractions("--learning-rate --entropy-coef --gae-lambda --gamma --clip-range", 0, 1),
        **_fractions("--score-margin-coef", 0, 1, metavar="share"),
        **_fractions("--target", 0, 1, 0.75, metavar="share"),
        **_fractions("--minutes", 0, 10_000, 10.0),
        **_values("network", "--network"),
        **_values("file", "--csv"),
        **_values("folder", "--tensorboard --imitate"),
    },
    "train": {
        **_values("folder", "--to"),
        **_numbers("--generations", 1, 1000, 10),
        **_numbers("--games", 1, 10**7),
    },
    "bench": {
        **_values("name", "--entrant --budget"),
        **_values("name", "--track", default="search"),
        **_lists("game", "--game"),
        **_lists("file", "--training-curve"),
        **_numbers("--rotations", 1, 10**6),
        **_numbers("--sample", 0, 10**9),
        **_values("folder", "--draw"),
    },
    "chaos": {
        **_lists("web_address", "--server"),
        **_lists("command", "--command"),
        **_numbers("--faults", 0, 10**6, 20),
        **_numbers("--tables", 1, 50, 3),
        **_numbers("--workers", 1, 64, 1),
        **_numbers("--seed", *SEEDS, 1),
    },
    "replay": _numbers("--to", 0, 10**9),
    "analyse": _numbers("--seed", *SEEDS, 1),
    "puzzles": {
        **_numbers("--games", 1, 10**6, 20),
        **_numbers("--seed", *SEEDS, 1),
        **_lists("file", "--file"),
    },
    "salvage": _values("file", "--database"),
    "serve": {
        **_numbers("--workers", 1, 64, 1),
        "--bots": {"action": argparse.BooleanOptionalAction, "default": True},
    },
}

#: Former names of options, which still work and warn.
FORMER_OPTIONS = {
    "--workers": "--jobs --processes --threads",
    "--total-timesteps": "--decisions",
    "--num-envs": "--envs --lanes",
    "--n-steps": "--steps",
    "--epochs": "--rounds",
    "--minibatches": "--pieces",
    "--learning-rate": "--rate",
    "--entropy-coef": "--curiosity",
    "--score-margin-coef": "--margin-reward --margin",
    "--gae-lambda": "--smoothing",
    "--hidden-size": "--hidden",
    "--learning-curve": "--curve",
}

#: Each command with its function and its arguments, in the order of the help text.
COMMANDS: dict[str, tuple[Run, str]] = {
    "games": (games.run_games, "--json"),
    "play": (
        play.run,
        """game --seats --players --set --board --from --dice --seed --save --resume
        --force --bot --bot-time""",
    ),
    "simulate": (
        match.run_simulate,
        "game --games --seats --bots --set --seed --board --workers --fixed-seats --json",
    ),
    "match": (
        match.run_match,
        "game --bots --games --set --seed --board --on --workers --json --bot --bot-time",
    ),
    "ladder": (
        ladder.run,
        """game --file --bots --games --seats --set --seed --board --on --workers --show
        --draw --json --bot --bot-time""",
    ),
    "bench": (
        bench.run,
        """action folders --entrant --bot --bot-time --track --budget --training-curve --game
        --rotations --workers --sample --draw --json""",
    ),
    "study": (study.run_study, "file --to --on --workers --rows --page --board --json"),
    "dataset": (
        study.run_dataset,
        """game --games --seats --bots --set --seed --board --to --per-shard --parquet --on
        --workers --json""",
    ),
    "learn": (
        learn.run,
        """game --opponents --evaluation-opponents --imitate --seats --minutes --total-timesteps
        --target --whole --games
        --points --num-envs --n-steps --epochs --minibatches --learning-rate --entropy-coef
        --gamma --gae-lambda --clip-range --score-margin-coef --hidden-size --network --seed
        --workers --device --learning-curve --draw --csv --tensorboard --save --json""",
    ),
    "train": (train.run, "game --to --generations --games --simulations --seed --json"),
    "replay": (replay.run, "file --board --to --json"),
    "analyse": (analyse.run, "file --seat --simulations --seed --board --html --force --json"),
    "puzzles": (
        puzzles.run,
        "game --games --file --set --seed --board --show --choose --check --to --force --json",
    ),
    "rules": (games.run_rules, "game ids --json"),
    "serve": (
        hosting.run_serve,
        """--local --host --port --database --board --browser --origin --trusted-proxy
        --bot-cores --bots --workers --bot --bot-time --rendezvous --daily --clubs
        --previews --take-tables --site --log-level --security-contact --people""",
    ),
    "bots": (hosting.run_bots, "--database --board --bot-cores --bot --bot-time --log-level"),
    "site": (site.run, "action --to --base --signalling --stun --turn --continue-on --json"),
    "backup": (databases.run_backup, "file --database --json"),
    "restore": (databases.run_restore, "file --database --force --json"),
    "move-store": (databases.run_move_store, "source target --json"),
    "export": (databases.run_export, "file --database --json"),
    "import": (databases.run_import, "file --database --json"),
    "salvage": (databases.run_salvage, "file --database --json"),
    "chaos": (
        chaos.run,
        "--faults --tables --workers --server --command --database --seed --save --json",
    ),
    "verify": (replay.run_verify, "file --commitment --board --json"),
    "new-game": (new_game.run, "name --into"),
}


#: Patterns of argparse's error messages, and the key of our sentence for each.
COMPLAINTS = (
    (r"unrecognized arguments: (?P<what>.*)", "usage.unknown"),
    (r"the following arguments are required: (?P<what>.*)", "usage.required"),
    (r"argument (?P<what>.*): expected (?:one|at least one) argument", "usage.no_value"),
    (r"ambiguous option: (?P<what>.*) could match .*", "usage.unknown"),
    (r"argument (?P<what>.*): ignored explicit argument .*", "usage.no_value_wanted"),
)

#: argparse's message about an unknown command; the quotation marks depend on Python's version.
NO_COMMAND = r"argument [^:]*: invalid choice: '?(?P<what>[^']*)'? \(choose from (?P<known>.*)\)"


class Parser(argparse.ArgumentParser):
    """Raises `UserError` instead of printing usage and exiting.

    ``key`` names the sentences of the description and the examples.
    """

    def __init__(self, *, words: Catalogue, key: str, **keywords: Any) -> None:
        super().__init__(
            **keywords,
            description=words.say(f"help.{key}"),
            epilog=words.say(f"help.{key}.examples"),
            formatter_class=lambda prog: _Formatter(prog, words),
            add_help=False,
            allow_abbrev=False,
        )
        # argparse has no other way to name its two groups.
        self._positionals.title = words.say("help.arguments")
        self._optionals.title = words.say("help.options")
        self.add_argument("-h", "--help", action="help", help=words.say("help.help"))
        self.add_argument("--lang", metavar="|".join(LANGUAGES), help=words.say("help.lang"))

    def error(self, message: str) -> NoReturn:
        if match := re.fullmatch(NO_COMMAND, message, re.DOTALL):
            what, known = match["what"], re.findall(r"[\w-]+", match["known"])
            if near := difflib.get_close_matches(what, known, 1):
                raise UserError("usage.near_command", what=what, near=near[0])
            raise UserError("usage.command", what=what, known=", ".join(known))
        for pattern, key in COMPLAINTS:
            if match := re.fullmatch(pattern, message, re.DOTALL):
                raise UserError(key, what=match["what"], command=self.prog)
        raise UserError("usage.other", what=message, command=self.prog)


def parse_arguments(arguments: Sequence[str], words: Catalogue) -> argparse.Namespace:
    """Parse the command line; raises `UserError`, or `SystemExit` after ``--help`` or
    ``--version``."""
    parser = build_parser(words)
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:
        raise UserError("usage.unknown", what=" ".join(unknown), command=parsed.program)
    if parsed.run is None:
        parser.print_help()
        raise SystemExit(0)
    return parsed


def build_parser(words: Catalogue) -> Parser:
    parser = Parser(words=words, key="cli", prog="archipel")
    shown = f"archipel {archipel.__version__}"
    help_text = words.say("help.version")
    parser.add_argument("--version", action="version", version=shown, help=help_text)
    parser.set_defaults(run=None, program=parser.prog)
    commands = parser.add_subparsers(
        title=words.say("help.commands"), metavar=words.say("help.command"), parser_class=Parser
    )

    for name, (run, arguments) in COMMANDS.items():
        command = commands.add_parser(
            name, help=words.say(f"help.{name}"), words=words, key=name, prog=f"archipel {name}"
        )
        command.set_defaults(run=run, program=command.prog)
        for argument in arguments.split():
            _add(command, words, name, argument)
    return parser


def _add(parser: Parser, words: Catalogue, command: str, argument: str) -> None:
    """Add an argument, whose help text is the sentence ``help.COMMAND.NAME``."""
    keywords = dict(ARGUMENTS_OF.get(command, {}).get(argument) or ARGUMENTS[argument])
    name = keywords.get("dest") or argument.lstrip("-").replace("-", "_")
    if "metavar" in keywords:
        keywords["metavar"] = words.say(f"metavar.{keywords['metavar']}")
    keywords["help"] = words.say(f"help.{command}.{name}").replace("%", "%%")
    parser.add_argument(argument, **keywords)
    for former in FORMER_OPTIONS.get(argument, "").split():
        warning = words.say("error.former_option", former=former, name=argument)
        constant = (warning, keywords.get("type", str))
        parser.add_argument(
            former, dest=name, action=_FormerOption, const=constant, help=argparse.SUPPRESS
        )


class _FormerOption(argparse.Action):
    """Prints a warning, then parses and stores the value of a renamed option."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option: Any = None) -> None:
        warning, parse = self.const
        print(f"archipel: {warning}", file=sys.stderr)
        setattr(namespace, self.dest, parse(values))


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, program: str, words: Catalogue) -> None:
        super().__init__(program, max_help_position=26, width=80)
        self.usage = words.say("help.usage")

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, self.usage if prefix is None else prefix)
