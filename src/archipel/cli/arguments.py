"""The commands and their arguments, with help in the language of the user."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import archipel
from archipel.cli import (
    analyse,
    dataset,
    games,
    hosting,
    ladder,
    learn,
    match,
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

#: What argparse complains about, in its own words, and the house sentence for each.
COMPLAINTS = (
    (r"unrecognized arguments: (?P<what>.*)", "usage.unknown"),
    (r"the following arguments are required: (?P<what>.*)", "usage.required"),
    (r"argument (?P<what>.*): expected (?:one|at least one) argument", "usage.no_value"),
    (r"ambiguous option: (?P<what>.*) could match .*", "usage.unknown"),
    (r"argument (?P<what>.*): ignored explicit argument .*", "usage.no_value_wanted"),
)


#: What it says of a command that there is not, and which there are, in quotation marks or not.
NO_COMMAND = r"argument [^:]*: invalid choice: '?(?P<what>[^']*)'? \(choose from (?P<known>.*)\)"


class Parser(argparse.ArgumentParser):
    """Complains with a `UserError` instead of two lines of its own."""

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
    """Raises `UserError`; ``--help`` and ``--version`` print and raise `SystemExit`."""
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

    def command(name: str, run: Run) -> Adder:
        made = _parser(words, f"archipel {name}", name, commands, name)
        made.set_defaults(run=run, program=made.prog)
        return Adder(made, words, name)

    _add_games(command("games", games.run))
    _add_play(command("play", play.run))
    _add_simulate(command("simulate", simulate.run))
    _add_match(command("match", match.run))
    _add_ladder(command("ladder", ladder.run))
    _add_study(command("study", study.run))
    _add_dataset(command("dataset", dataset.run))
    _add_learn(command("learn", learn.run))
    _add_replay(command("replay", replay.run))
    _add_analyse(command("analyse", analyse.run))
    _add_puzzles(command("puzzles", puzzles.run))
    _add_rules(command("rules", rules.run))
    _add_serve(command("serve", hosting.run_serve))
    _add_bots(command("bots", hosting.run_bots))
    _add_backup(command("backup", hosting.run_backup))
    _add_restore(command("restore", hosting.run_restore))
    _add_move_store(command("move-store", hosting.run_move_store))
    _add_salvage(command("salvage", hosting.run_salvage))
    _add_verify(command("verify", hosting.run_verify))
    return parser


class Adder:
    """Adds arguments whose help is a sentence of the house."""

    def __init__(self, parser: Parser, words: Catalogue, command: str) -> None:
        self.parser = parser
        self.words = words
        self.command = command

    def add(self, *flags: str, **keywords: Any) -> None:
        name = keywords.get("dest") or flags[-1].lstrip("-").replace("-", "_")
        if "metavar" in keywords:
            keywords["metavar"] = self.words.say(f"metavar.{keywords['metavar']}")
        keywords["help"] = self.words.say(f"help.{self.command}.{name}").replace("%", "%%")
        self.parser.add_argument(*flags, **keywords)


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


def _add_games(adder: Adder) -> None:
    adder.add("--json", action="store_true")


def _add_play(adder: Adder) -> None:
    adder.add("game", nargs="?", metavar="game")
    adder.add("--seats", metavar="number")
    adder.add("--players", metavar="names")
    adder.add("--set", dest="settings", action="append", default=[], metavar="setting")
    adder.add("--board", metavar="board")
    adder.add("--from", dest="start", metavar="file")
    adder.add("--dice", metavar="dice")
    adder.add("--seed", metavar="number")
    adder.add("--save", metavar="file")
    adder.add("--resume", metavar="file")
    adder.add("--force", action="store_true")
    _add_own_bots(adder)


def _add_simulate(adder: Adder) -> None:
    adder.add("game", nargs="?", metavar="game")
    adder.add("--games", metavar="number")
    adder.add("--seats", metavar="number")
    adder.add("--bots", metavar="names")
    adder.add("--set", dest="settings", action="append", default=[], metavar="setting")
    adder.add("--seed", metavar="number")
    adder.add("--board", metavar="board")
    adder.add("--jobs", metavar="number")
    adder.add("--fixed-seats", action="store_true")
    adder.add("--json", action="store_true")


def _add_match(adder: Adder) -> None:
    adder.add("game", nargs="?", metavar="game")
    adder.add("--bots", metavar="names")
    adder.add("--games", metavar="number")
    adder.add("--set", dest="settings", action="append", default=[], metavar="setting")
    adder.add("--seed", metavar="number")
    adder.add("--board", metavar="board")
    adder.add("--on", metavar="place")
    adder.add("--processes", metavar="number")
    adder.add("--json", action="store_true")
    _add_own_bots(adder)


def _add_ladder(adder: Adder) -> None:
    adder.add("game", nargs="?", metavar="game")
    adder.add("--file", metavar="file")
    adder.add("--bots", metavar="names")
    adder.add("--games", metavar="number")
    adder.add("--seats", metavar="number")
    adder.add("--set", dest="settings", action="append", default=[], metavar="setting")
    adder.add("--seed", metavar="number")
    adder.add("--board", metavar="board")
    adder.add("--on", metavar="place")
    adder.add("--processes", metavar="number")
    adder.add("--show", action="store_true")
    adder.add("--draw", metavar="file")
    adder.add("--json", action="store_true")
    _add_own_bots(adder)


def _add_study(adder: Adder) -> None:
    adder.add("file", metavar="file")
    adder.add("--to", metavar="folder")
    adder.add("--on", metavar="place")
    adder.add("--processes", metavar="number")
    adder.add("--rows", action=argparse.BooleanOptionalAction, default=True)
    adder.add("--page", metavar="file")
    adder.add("--board", action="append", default=[], metavar="board")
    adder.add("--json", action="store_true")


def _add_dataset(adder: Adder) -> None:
    adder.add("game", nargs="?", metavar="game")
    adder.add("--games", metavar="number")
    adder.add("--seats", metavar="number")
    adder.add("--bots", metavar="names")
    adder.add("--set", dest="settings", action="append", default=[], metavar="setting")
    adder.add("--seed", metavar="number")
    adder.add("--board", metavar="board")
    adder.add("--to", metavar="folder")
    adder.add("--per-shard", metavar="number")
    adder.add("--on", metavar="place")
    adder.add("--processes", metavar="number")
    adder.add("--json", action="store_true")


def _add_learn(adder: Adder) -> None:
    adder.add("game", nargs="?", metavar="game")
    adder.add("--opponents", metavar="name")
    adder.add("--seats", metavar="number")
    adder.add("--minutes", metavar="number")
    adder.add("--decisions", metavar="number")
    adder.add("--target", metavar="share")
    adder.add("--whole", action="store_true")
    adder.add("--games", metavar="number")
    adder.add("--points", metavar="number")
    adder.add("--lanes", metavar="number")
    adder.add("--steps", metavar="number")
    adder.add("--rounds", metavar="number")
    adder.add("--pieces", metavar="number")
    adder.add("--rate", metavar="number")
    adder.add("--curiosity", metavar="number")
    adder.add("--margin", metavar="share")
    adder.add("--smoothing", metavar="number")
    adder.add("--hidden", metavar="number")
    adder.add("--seed", metavar="number")
    adder.add("--threads", metavar="number")
    adder.add("--device", metavar="device")
    adder.add("--curve", metavar="file")
    adder.add("--draw", metavar="file")
    adder.add("--save", metavar="file")
    adder.add("--json", action="store_true")


def _add_replay(adder: Adder) -> None:
    adder.add("file", metavar="file")
    adder.add("--board", action="append", default=[], metavar="board")
    adder.add("--to", metavar="number")
    adder.add("--json", action="store_true")


def _add_analyse(adder: Adder) -> None:
    adder.add("file", metavar="file")
    adder.add("--seat", metavar="number")
    adder.add("--simulations", metavar="number")
    adder.add("--seed", metavar="number")
    adder.add("--board", action="append", default=[], metavar="board")
    adder.add("--html", metavar="file")
    adder.add("--force", action="store_true")
    adder.add("--json", action="store_true")


def _add_puzzles(adder: Adder) -> None:
    adder.add("game", nargs="?", metavar="game")
    adder.add("--games", metavar="number")
    adder.add("--file", action="append", default=[], metavar="file")
    adder.add("--set", dest="settings", action="append", default=[], metavar="setting")
    adder.add("--seed", metavar="number")
    adder.add("--board", metavar="board")
    adder.add("--show", action="store_true")
    adder.add("--choose", metavar="number")
    adder.add("--check", action="store_true")
    adder.add("--to", metavar="file")
    adder.add("--force", action="store_true")
    adder.add("--json", action="store_true")


def _add_rules(adder: Adder) -> None:
    adder.add("game", nargs="?", metavar="game")
    adder.add("ids", nargs="*", metavar="rule")
    adder.add("--json", action="store_true")


def _add_serve(adder: Adder) -> None:
    adder.add("--local", action="store_true")
    adder.add("--host", metavar="address")
    adder.add("--port", metavar="number")
    adder.add("--database", metavar="database")
    adder.add("--board", action="append", default=[], metavar="board")
    adder.add("--browser", action=argparse.BooleanOptionalAction, default=None)
    adder.add("--origin", action="append", default=[], metavar="web_address")
    adder.add("--trusted-proxy", action="append", default=[], metavar="address")
    adder.add("--bot-cores", metavar="number")
    adder.add("--bots", action=argparse.BooleanOptionalAction, default=True)
    adder.add("--workers", metavar="number")
    _add_own_bots(adder)
    adder.add("--log-level", metavar="level")


def _add_bots(adder: Adder) -> None:
    adder.add("--database", metavar="database")
    adder.add("--board", action="append", default=[], metavar="board")
    adder.add("--bot-cores", metavar="number")
    _add_own_bots(adder)
    adder.add("--log-level", metavar="level")


def _add_own_bots(adder: Adder) -> None:
    """Programs that play, for every command that lets bots play."""
    adder.add("--bot", action="append", default=[], metavar="program")
    adder.add("--bot-time", metavar="seconds")


def _add_backup(adder: Adder) -> None:
    adder.add("file", metavar="file")
    adder.add("--database", metavar="database")
    adder.add("--json", action="store_true")


def _add_restore(adder: Adder) -> None:
    adder.add("file", metavar="file")
    adder.add("--database", metavar="database")
    adder.add("--force", action="store_true")
    adder.add("--json", action="store_true")


def _add_move_store(adder: Adder) -> None:
    adder.add("source", metavar="source")
    adder.add("target", metavar="target")
    adder.add("--json", action="store_true")


def _add_salvage(adder: Adder) -> None:
    adder.add("file", metavar="file")
    adder.add("--database", metavar="file")
    adder.add("--json", action="store_true")


def _add_verify(adder: Adder) -> None:
    adder.add("file", metavar="file")
    adder.add("--commitment", action="append", default=[], metavar="hash")
    adder.add("--board", action="append", default=[], metavar="board")
    adder.add("--json", action="store_true")
