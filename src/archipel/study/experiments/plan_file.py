"""Read plans in TOML; an error names the key and its line."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from archipel.bots import UnknownBotError, bots_of, levels_of, player_named
from archipel.rules.all_games import game_named, games
from archipel.rules.contract import UnknownGameError
from archipel.rules.options import OptionError
from archipel.rules.sentence import Sentence, ToldError
from archipel.study.experiments import plan as plans
from archipel.study.experiments.plan import Part, Plan, Table, Target
from archipel.study.experiments.summary import figure_names

TOP_KEYS = ["title", "question", "conclusion", "seed", "games", "target", "tables"]
TABLE_KEYS = ["heading", "game", "seats", "bots", "games", "target", "rotate", "combine", "options"]
TARGET_KEYS = ["figure", "half_width", "most_games"]

#: Keys from the top of the file to a value; an element of an array of tables has its number.
Path = tuple[str | int, ...]


class PlanError(ToldError):
    """An invalid plan: ``line`` of the file and the reason."""

    def __init__(self, line: int, why: Sentence) -> None:
        super().__init__(Sentence("line {line}: {why}", line=line, why=why))
        self.line = line


def read_plan(text: str) -> Plan:
    """Raises `PlanError`."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        why, _, place = str(error).partition(" (at ")
        line = place.removeprefix("line ").split(",")[0]
        number = int(line) if line.isdecimal() else max(1, len(text.splitlines()))
        raise PlanError(number, Sentence("this is no TOML: {why}", why=why)) from None
    return _read(_Section(lines_of_keys(text), (), given))


@dataclass(frozen=True)
class _Section:
    """A table of the TOML text; each method checks one key and raises `PlanError`."""

    lines: Mapping[Path, int]
    path: Path
    given: Mapping[str, Any]

    def refuse(self, why: Sentence, *keys: str) -> PlanError:
        """An error at a key, with its line or that of the innermost table around it."""
        path: Path = (*self.path, *keys)
        named = Sentence("{key}: {why}", key=_name(path), why=why) if path else why
        while path and path not in self.lines:
            path = path[:-1]
        return PlanError(self.lines.get(path, 1), named)

    def check_keys(self, known: Sequence[str]) -> None:
        for key in self.given:
            if key not in known:
                raise self.refuse(_unknown("key", key, known), key)

    def text(self, key: str) -> str:
        value = self.given.get(key, "")
        if not isinstance(value, str):
            raise self.refuse(Sentence("expected a text"), key)
        return value

    def switch(self, key: str) -> bool:
        value = self.given.get(key, True)
        if not isinstance(value, bool):
            raise self.refuse(Sentence("expected true or false"), key)
        return value

    def number(self, key: str, usual: int, low: int, high: int) -> int:
        value = self.given.get(key, usual)
        if type(value) is not int or not low <= value <= high:
            why = Sentence("expected a number from {low} to {high}", low=low, high=high)
            raise self.refuse(why, key)
        return value

    def listed(self, value: Any, *keys: str) -> list[Any]:
        """A list of at least one value; a single value counts as a list."""
        values = value if isinstance(value, list) else [value]
        if not values:
            raise self.refuse(Sentence("the list is empty"), *keys)
        return values


def _read(top: _Section) -> Plan:
    top.check_keys(TOP_KEYS)
    title = top.text("title")
    if not title:
        raise top.refuse(Sentence("a study has a title"))
    seed = top.number("seed", plans.USUAL_SEED, 0, 2**63 - 1)
    parts = top.given.get("tables")
    if not isinstance(parts, list) or not parts or not all(isinstance(p, dict) for p in parts):
        raise top.refuse(Sentence("a study has at least one [[tables]]"), "tables")
    tables: list[Table] = []
    headings: list[str] = []
    for group, part in enumerate(parts):
        section = _Section(top.lines, ("tables", group), part)
        tables += _tables(top, section, seed, group)
        headings.append(section.text("heading"))
        if len(tables) > plans.MOST_TABLES:
            most = plans.MOST_TABLES
            raise section.refuse(Sentence("more than {most} combinations in all", most=most))
    question, conclusion = (top.text(key).strip() for key in ("question", "conclusion"))
    return Plan(title, question, tuple(tables), seed, conclusion, tuple(headings))


def _tables(top: _Section, section: _Section, seed: int, group: int) -> list[Table]:
    section.check_keys(TABLE_KEYS)
    game = _game(section)
    bots = _bots(section, game)
    seats = _seats(section, game, bots)
    options = _options(section, game)
    target = _target(section if "target" in section.given else top, game)
    usual = top.number("games", plans.USUAL_GAMES, 1, plans.MOST_GAMES)
    games_wanted = section.number("games", usual, 1, plans.MOST_GAMES)
    rotate, combine = section.switch("rotate"), section.switch("combine")
    part = Part(game, bots, seats, options, games_wanted, target, rotate, combine)
    try:
        return list(plans.tables_of(part, seed, group))
    except OptionError as error:
        raise section.refuse(Sentence("{why}", why=error), "options") from None


def _game(section: _Section) -> str:
    name = section.text("game")
    if not name:
        known = ", ".join(game.name for game in games())
        raise section.refuse(Sentence("which game? {known}", known=known), "game")
    try:
        return game_named(name).name
    except UnknownGameError as error:
        raise section.refuse(error.why, "game") from None


def _bots(section: _Section, game: str) -> str | tuple[str, ...]:
    bots = section.given.get("bots")
    named = [bots] if isinstance(bots, str) else bots
    if not isinstance(named, list) or not named or not all(isinstance(n, str) for n in named):
        why = Sentence("expected a bot for all seats, or a list with one for each")
        raise section.refuse(why, "bots")
    found = []
    for name in named:
        try:
            found.append(player_named(game, name).name)
        except UnknownBotError:
            known = [bot.name for bot in (*bots_of(game), *levels_of(game))]
            raise section.refuse(_unknown("bot", name, known), "bots") from None
    return found[0] if isinstance(bots, str) else tuple(found)


def _seats(section: _Section, game: str, bots: str | tuple[str, ...]) -> tuple[int, ...]:
    allowed = game_named(game).seats
    usual = list(allowed) if isinstance(bots, str) else [len(bots)]
    listed = section.listed(section.given.get("seats", usual), "seats")
    for number in listed:
        if type(number) is not int or number not in allowed:
            given = {"game": game, "low": allowed[0], "high": allowed[-1], "seats": number}
            why = Sentence("{game} is for {low} to {high} players, not {seats}", **given)
            raise section.refuse(why, "seats")
        if not isinstance(bots, str) and len(bots) != number:
            counts = {"bots": len(bots), "seats": number}
            why = Sentence("{bots} bots for {seats} seats: name one for each", **counts)
            raise section.refuse(why, "seats")
    return tuple(listed)


def _options(section: _Section, game: str) -> dict[str, tuple[object, ...]]:
    options = section.given.get("options", {})
    if not isinstance(options, dict):
        raise section.refuse(Sentence("expected options with their values"), "options")
    known = {option.name: option for option in game_named(game).options}
    found: dict[str, tuple[object, ...]] = {}
    for name, values in options.items():
        keys = "options", name
        if name not in known:
            raise section.refuse(_unknown("option", name, list(known)), *keys)
        try:
            found[name] = tuple(map(known[name].choose, section.listed(values, *keys)))
        except OptionError as error:
            raise section.refuse(Sentence("{why}", why=error), *keys) from None
    return found


def _target(parent: _Section, game: str) -> Target | None:
    wanted = parent.given.get("target")
    if wanted is None:
        return None
    if not isinstance(wanted, dict):
        raise parent.refuse(Sentence("expected figure and half_width"), "target")
    section = _Section(parent.lines, (*parent.path, "target"), wanted)
    section.check_keys(TARGET_KEYS)
    figure, known = section.text("figure"), figure_names(game)
    if figure not in known:
        raise section.refuse(_unknown("figure", figure, known), "figure")
    width = wanted.get("half_width")
    if isinstance(width, bool) or not isinstance(width, int | float) or not width > 0:
        raise section.refuse(Sentence("expected a number above 0"), "half_width")
    most = section.number("most_games", plans.USUAL_MOST_GAMES, 1, plans.MOST_GAMES)
    return Target(figure, float(width), most)


def _name(path: Path) -> str:
    """A path as text; tables are counted from 1."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f"{'.' if text else ''}{part}"
    return text


def _unknown(what: str, name: str, known: Sequence[str]) -> Sentence:
    near = difflib.get_close_matches(name, known, 1)
    if near:
        return {
            "key": Sentence("no such key; did you mean {near}?", near=near[0]),
            "option": Sentence("no such option; did you mean {near}?", near=near[0]),
            "bot": Sentence("no such bot; did you mean {near}?", near=near[0]),
            "figure": Sentence("no such figure; did you mean {near}?", near=near[0]),
        }[what]
    listed = ", ".join(known)
    return {
        "key": Sentence("no such key; there are: {known}", known=listed),
        "option": Sentence("no such option; there are: {known}", known=listed),
        "bot": Sentence("no such bot; there are: {known}", known=listed),
        "figure": Sentence("no such figure; there are: {known}", known=listed),
    }[what]


# ---- lines of keys ------------------------------------------------------------------------------

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w\-. ]+?)\s*\]\]?")
_KEY = re.compile(r"\s*([\w\-.]+|\"[^\"]*\")\s*=\s*(.*)")
_LONG = re.compile(r"\"\"\"|'''")


def lines_of_keys(text: str) -> dict[Path, int]:
    """Line of each key and header by its path, for valid TOML.

    An element of an array of tables is known by its number, from 0.
    """
    found: dict[Path, int] = {}
    elements: Counter[Path] = Counter()
    inside: Path = ()
    quote = ""
    for number, line in enumerate(text.splitlines(), 1):
        if quote:
            quote = "" if line.count(quote) % 2 else quote
            continue
        if header := _HEADER.match(line):
            path = _element(tuple(part.strip() for part in header[2].split(".")), elements)
            found.setdefault(path, number)
            if header[1] == "[[":
                elements[path] += 1
                path = (*path, elements[path] - 1)
            inside = path
            found.setdefault(inside, number)
        elif key := _KEY.match(line):
            parts = key[1].strip('"').split(".") if not key[1].startswith('"') else [key[1][1:-1]]
            path = (*inside, *parts)
            found.setdefault(path, number)
            for name in re.findall(r"[{,]\s*([\w\-]+)\s*=", key[2]):
                found.setdefault((*path, name), number)
        opened = _LONG.findall(line)
        if len(opened) % 2:
            quote = opened[-1]
    return found


def _element(names: tuple[str, ...], elements: Counter[Path]) -> Path:
    """Path of a header, with the latest element of every array of tables on the way."""
    path: Path = ()
    for place, name in enumerate(names):
        path = (*path, name)
        if elements[path] and place < len(names) - 1:
            path = (*path, elements[path] - 1)
    return path
