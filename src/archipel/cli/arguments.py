"""The commands and their arguments; help texts come from the sentences of each language."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import archipel
from archipel.cli import (
    analyse,
    databases,
    dataset,
    games,
    hosting,
    ladder,
    learn,
    match,
    new_game,
    play,
    puzzles,
    replay,
    rules,
    simulate,
    study,
)
from archipel.cli.errors import UserError
from archipel.rules.booklet import LANGUAGES
from archipel.rules.catalogue import Catalogue

Run = Callable[[argparse.Namespace, Catalogue], int]


def _values(metavar: str, names: str) -> dict[str, dict[str, Any]]:
    return {name: {"metavar": metavar} for name in names.split()}


def _flags(names: str) -> dict[str, dict[str, Any]]:
    return {name: {"action": "store_true"} for name in names.split()}


def _lists(metavar: str, names: str) -> dict[str, dict[str, Any]]:
    """Options that may be repeated."""
    repeated = {"action": "append", "default": [], "metavar": metavar}
    return dict.fromkeys(names.split(), repeated)


#: The keywords of each argument for argparse.
ARGUMENTS: dict[str, dict[str, Any]] = {
    **_values("file", "file --file --save --resume --draw --page --learning-curve --html --to"),
    **_values("names", "--players --bots"),
    **_values("name", "name --opponents"),
    **_values("folder", "--into"),
    **_values("number", "--games --seats --seed --jobs --processes --per-shard --minutes"),
    **_values("number", "--decisions --points --envs --steps --epochs --minibatches"),
    **_values("number", "--learning-rate --entropy-coef --gae-lambda --hidden --threads"),
    **_values("number", "--port --bot-cores --workers"),
    **_values("number", "--simulations --seat --choose"),
    **_values("share", "--target --margin-reward"),
    **_values("place", "--on"),
    **_values("dice", "--dice"),
    **_values("device", "--device"),
    **_values("address", "--host"),
    **_values("database", "--database"),
    **_values("seconds", "--bot-time"),
    **_values("level", "--log-level"),
    **_values("source", "source"),
    **_values("target", "target"),
    **_lists("board", "--board"),
    **_lists("program", "--bot"),
    **_lists("web_address", "--origin"),
    **_lists("address", "--trusted-proxy"),
    **_lists("hash", "--commitment"),
    "game": {"nargs": "?", "metavar": "game"},
    "ids": {"nargs": "*", "metavar": "rule"},
    "--from": {"dest": "start", "metavar": "file"},
    "--set": {"dest": "settings", "action": "append", "default": [], "metavar": "setting"},
    "--rows": {"action": argparse.BooleanOptionalAction, "default": True},
    "--browser": {"action": argparse.BooleanOptionalAction, "default": None},
    **_flags("--json --force --show --whole --check --local --fixed-seats"),
}
#: Arguments that differ in one command.
ARGUMENTS_OF: dict[str, dict[str, dict[str, Any]]] = {
    "study": _values("folder", "--to"),
    "dataset": _values("folder", "--to"),
    "replay": _values("number", "--to"),
    "puzzles": _lists("file", "--file"),
    "salvage": _values("file", "--database"),
    "serve": {"--bots": {"action": argparse.BooleanOptionalAction, "default": True}},
}

#: Former names of options, which still work and warn.
FORMER_OPTIONS = {
    "--envs": "--lanes",
    "--epochs": "--rounds",
    "--minibatches": "--pieces",
    "--learning-rate": "--rate",
    "--entropy-coef": "--curiosity",
    "--margin-reward": "--margin",
    "--gae-lambda": "--smoothing",
    "--learning-curve": "--curve",
}

#: Each command with its function and its arguments, in the order of the help text.
COMMANDS: dict[str, tuple[Run, str]] = {
    "games": (games.run, "--json"),
    "play": (
        play.run,
        """game --seats --players --set --board --from --dice --seed --save --resume
        --force --bot --bot-time""",
    ),
    "simulate": (
        simulate.run,
        "game --games --seats --bots --set --seed --board --jobs --fixed-seats --json",
    ),
    "match": (
        match.run,
        "game --bots --games --set --seed --board --on --processes --json --bot --bot-time",
    ),
    "ladder": (
        ladder.run,
        """game --file --bots --games --seats --set --seed --board --on --processes --show
        --draw --json --bot --bot-time""",
    ),
    "study": (study.run, "file --to --on --processes --rows --page --board --json"),
    "dataset": (
        dataset.run,
        "game --games --seats --bots --set --seed --board --to --per-shard --on --processes --json",
    ),
    "learn": (
        learn.run,
        """game --opponents --seats --minutes --decisions --target --whole --games
        --points --envs --steps --epochs --minibatches --learning-rate --entropy-coef
        --margin-reward --gae-lambda --hidden --seed --threads --device --learning-curve
        --draw --save --json""",
    ),
    "replay": (replay.run, "file --board --to --json"),
    "analyse": (analyse.run, "file --seat --simulations --seed --board --html --force --json"),
    "puzzles": (
        puzzles.run,
        "game --games --file --set --seed --board --show --choose --check --to --force --json",
    ),
    "rules": (rules.run, "game ids --json"),
    "serve": (
        hosting.run_serve,
        """--local --host --port --database --board --browser --origin --trusted-proxy
        --bot-cores --bots --workers --bot --bot-time --log-level""",
    ),
    "bots": (hosting.run_bots, "--database --board --bot-cores --bot --bot-time --log-level"),
    "backup": (databases.run_backup, "file --database --json"),
    "restore": (databases.run_restore, "file --database --force --json"),
    "move-store": (databases.run_move_store, "source target --json"),
    "salvage": (databases.run_salvage, "file --database --json"),
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
    """Raises `UserError` instead of printing usage and exiting."""

    def error(self, message: str) -> NoReturn:
        if match := re.fullmatch(NO_COMMAND, message, re.DOTALL):
            raise _no_command(match["what"], re.findall(r"[\w-]+", match["known"]))
        for pattern, key in COMPLAINTS:
            if match := re.fullmatch(pattern, message, re.DOTALL):
                raise UserError(key, what=match["what"], command=self.prog)
        raise UserError("usage.other", what=message, command=self.prog)


def _no_command(what: str, known: Sequence[str]) -> UserError:
    near = difflib.get_close_matches(what, known, 1)
    if near:
        return UserError("usage.near_command", what=what, near=near[0])
    return UserError("usage.command", what=what, known=", ".join(known))


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
    parser = _parser(words, "archipel", "cli")
    shown = f"archipel {archipel.__version__}"
    help_text = words.say("help.version")
    parser.add_argument("--version", action="version", version=shown, help=help_text)
    parser.set_defaults(run=None, program=parser.prog)
    commands = parser.add_subparsers(
        title=words.say("help.commands"), metavar=words.say("help.command"), parser_class=Parser
    )

    for name, (run, arguments) in COMMANDS.items():
        command = _parser(words, f"archipel {name}", name, commands, name)
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
    if former := FORMER_OPTIONS.get(argument):
        warning = words.say("error.former_option", former=former, name=argument)
        parser.add_argument(
            former, dest=name, action=_FormerOption, const=warning, help=argparse.SUPPRESS
        )


class _FormerOption(argparse.Action):
    """Stores the value of a renamed option and prints a warning."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option: Any = None) -> None:
        print(f"archipel: {self.const}", file=sys.stderr)
        setattr(namespace, self.dest, values)


def _parser(
    words: Catalogue, program: str, key: str, commands: Any = None, name: str = ""
) -> Parser:
    keywords: dict[str, Any] = {
        "prog": program,
        "description": words.say(f"help.{key}"),
        "epilog": words.say(f"help.{key}.examples"),
        "formatter_class": lambda prog: _Formatter(prog, words),
        "add_help": False,
        "allow_abbrev": False,
    }
    if commands is None:
        parser = Parser(**keywords)
    else:
        parser = commands.add_parser(name, help=words.say(f"help.{key}"), **keywords)
    # argparse has no other way to name its two groups.
    parser._positionals.title = words.say("help.arguments")
    parser._optionals.title = words.say("help.options")
    parser.add_argument("-h", "--help", action="help", help=words.say("help.help"))
    parser.add_argument("--lang", metavar="|".join(LANGUAGES), help=words.say("help.lang"))
    return parser


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, program: str, words: Catalogue) -> None:
        super().__init__(program, max_help_position=26, width=80)
        self.usage = words.say("help.usage")

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, self.usage if prefix is None else prefix)
