"""Read plans in TOML; an error names the key and its line."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from archipel.bots import UnknownBotError, bots_of, levels_of, player_named
from archipel.rules.all_games import game_named, games
from archipel.rules.contract import UnknownGameError
from archipel.rules.options import OptionError
from archipel.rules.sentence import Sentence, ToldError
from archipel.study.experiments.figures import figure_names
from archipel.study.experiments.plan import (
    MOST_GAMES,
    MOST_TABLES,
    USUAL_GAMES,
    USUAL_MOST_GAMES,
    USUAL_SEED,
    Part,
    Plan,
    Table,
    Target,
    tables_of,
)
from archipel.study.experiments.toml_lines import Path, line_of, lines_of_keys

TOP_KEYS = ("title", "question", "conclusion", "seed", "games", "target", "tables")
TABLE_KEYS = (
    "heading",
    "game",
    "seats",
    "bots",
    "games",
    "target",
    "rotate",
    "combine",
    "options",
)
TARGET_KEYS = ("figure", "half_width", "most_games")


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
    return _Reader(given, lines_of_keys(text)).plan()


def _name(path: Path) -> str:
    """A path as text; tables are counted from 1."""
    said = ""
    for part in path:
        said += f"[{part + 1}]" if isinstance(part, int) else f"{'.' if said else ''}{part}"
    return said


class _Reader:
    def __init__(self, given: dict[str, Any], lines: dict[Path, int]) -> None:
        self._given = given
        self._lines = lines

    def refuse(self, path: Path, why: Sentence) -> PlanError:
        named = Sentence("{key}: {why}", key=_name(path), why=why) if path else why
        return PlanError(line_of(self._lines, path), named)

    # ---- the parts of a plan ----

    def plan(self) -> Plan:
        given = self._given
        self.known((), given, TOP_KEYS)
        title = self.text((), given, "title", "")
        if not title:
            raise self.refuse((), Sentence("a study has a title"))
        seed = self.number((), given, "seed", USUAL_SEED, 0, 2**63 - 1)
        parts = given.get("tables")
        if not isinstance(parts, list) or not parts:
            raise self.refuse(("tables",), Sentence("a study has at least one [[tables]]"))
        tables: list[Table] = []
        headings: list[str] = []
        for group, part in enumerate(parts):
            if not isinstance(part, dict):
                raise self.refuse(("tables",), Sentence("a study has at least one [[tables]]"))
            tables += self.tables(("tables", group), part, seed, group)
            headings.append(self.text(("tables", group), part, "heading", ""))
            if len(tables) > MOST_TABLES:
                raise self.refuse(
                    ("tables", group),
                    Sentence("more than {most} combinations in all", most=MOST_TABLES),
                )
        return Plan(
            title,
            self.text((), given, "question", "").strip(),
            tuple(tables),
            seed,
            self.text((), given, "conclusion", "").strip(),
            tuple(headings),
        )

    def tables(self, path: Path, given: dict[str, Any], seed: int, group: int) -> list[Table]:
        self.known(path, given, TABLE_KEYS)
        game = self.game(path, given)
        bots = self.bots(path, given, game)
        seats = self.seats(path, given, game, bots)
        options = self.options(path, given, game)
        target = self.target(path, given, game)
        usual = self.number((), self._given, "games", USUAL_GAMES, 1, MOST_GAMES)
        games_wanted = self.number(path, given, "games", usual, 1, MOST_GAMES)
        rotate = self.switch(path, given, "rotate")
        combine = self.switch(path, given, "combine")
        part = Part(game, bots, seats, options, games_wanted, target, rotate, combine)
        try:
            return list(tables_of(part, seed, group))
        except OptionError as error:
            raise self.refuse((*path, "options"), Sentence("{why}", why=error)) from None

    def game(self, path: Path, given: dict[str, Any]) -> str:
        name = self.text(path, given, "game", "")
        if not name:
            known = ", ".join(game.name for game in games())
            raise self.refuse((*path, "game"), Sentence("which game? {known}", known=known))
        try:
            return game_named(name).name
        except UnknownGameError as error:
            raise self.refuse((*path, "game"), error.why) from None

    def bots(self, path: Path, given: dict[str, Any], game: str) -> str | tuple[str, ...]:
        where = (*path, "bots")
        bots = given.get("bots")
        named = [bots] if isinstance(bots, str) else bots
        if not isinstance(named, list) or not named or not all(isinstance(n, str) for n in named):
            raise self.refuse(
                where, Sentence("expected a bot for all seats, or a list with one for each")
            )
        try:
            found = tuple(player_named(game, name).name for name in named)
        except UnknownBotError:
            known = [bot.name for bot in (*bots_of(game), *levels_of(game))]
            wrong = next(name for name in named if not self._plays(game, name))
            raise self.refuse(where, _unknown("bot", wrong, known)) from None
        return found[0] if isinstance(bots, str) else found

    @staticmethod
    def _plays(game: str, name: str) -> bool:
        try:
            player_named(game, name)
        except UnknownBotError:
            return False
        return True

    def seats(
        self, path: Path, given: dict[str, Any], game: str, bots: str | tuple[str, ...]
    ) -> tuple[int, ...]:
        where, allowed = (*path, "seats"), game_named(game).seats
        usual = list(allowed) if isinstance(bots, str) else [len(bots)]
        seats = given.get("seats", usual)
        listed = seats if isinstance(seats, list) else [seats]
        for number in listed:
            if type(number) is not int or number not in allowed:
                raise self.refuse(
                    where,
                    Sentence(
                        "{game} is for {low} to {high} players, not {seats}",
                        game=game,
                        low=allowed[0],
                        high=allowed[-1],
                        seats=number,
                    ),
                )
            if not isinstance(bots, str) and len(bots) != number:
                raise self.refuse(
                    where,
                    Sentence(
                        "{bots} bots for {seats} seats: name one for each",
                        bots=len(bots),
                        seats=number,
                    ),
                )
        if not listed:
            raise self.refuse(where, Sentence("the list is empty"))
        return tuple(listed)

    def options(
        self, path: Path, given: dict[str, Any], game: str
    ) -> dict[str, tuple[object, ...]]:
        options = given.get("options", {})
        where = (*path, "options")
        if not isinstance(options, dict):
            raise self.refuse(where, Sentence("expected options with their values"))
        definition = game_named(game)
        known = {option.name: option for option in definition.options}
        found: dict[str, tuple[object, ...]] = {}
        for name, values in options.items():
            if name not in known:
                raise self.refuse((*where, name), _unknown("option", name, list(known)))
            listed = values if isinstance(values, list) else [values]
            if not listed:
                raise self.refuse((*where, name), Sentence("the list is empty"))
            try:
                found[name] = tuple(known[name].choose(value) for value in listed)
            except OptionError as error:
                raise self.refuse((*where, name), Sentence("{why}", why=error)) from None
        return found

    def target(self, path: Path, given: dict[str, Any], game: str) -> Target | None:
        where: Path = (*path, "target") if "target" in given else ("target",)
        wanted = given.get("target", self._given.get("target"))
        if wanted is None:
            return None
        if not isinstance(wanted, dict):
            raise self.refuse(where, Sentence("expected figure and half_width"))
        self.known(where, wanted, TARGET_KEYS)
        figure = self.text(where, wanted, "figure", "")
        known = figure_names(game)
        if figure not in known:
            raise self.refuse((*where, "figure"), _unknown("figure", figure, known))
        width = wanted.get("half_width")
        if isinstance(width, bool) or not isinstance(width, int | float) or not width > 0:
            raise self.refuse((*where, "half_width"), Sentence("expected a number above 0"))
        most = self.number(where, wanted, "most_games", USUAL_MOST_GAMES, 1, MOST_GAMES)
        return Target(figure, float(width), most)

    # ---- values ----

    def known(self, path: Path, given: Mapping[str, Any], keys: Sequence[str]) -> None:
        for key in given:
            if key not in keys:
                raise self.refuse((*path, key), _unknown("key", key, list(keys)))

    def switch(self, path: Path, given: Mapping[str, Any], key: str) -> bool:
        value = given.get(key, True)
        if not isinstance(value, bool):
            raise self.refuse((*path, key), Sentence("expected true or false"))
        return value

    def text(self, path: Path, given: Mapping[str, Any], key: str, usual: str) -> str:
        value = given.get(key, usual)
        if not isinstance(value, str):
            raise self.refuse((*path, key), Sentence("expected a text"))
        return value

    def number(
        self, path: Path, given: Mapping[str, Any], key: str, usual: int, low: int, high: int
    ) -> int:
        value = given.get(key, usual)
        if type(value) is not int or not low <= value <= high:
            raise self.refuse(
                (*path, key),
                Sentence("expected a number from {low} to {high}", low=low, high=high),
            )
        return value


def _unknown(what: str, name: str, known: list[str]) -> Sentence:
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
