"""Game records: a text format to read, edit and replay games.

::

    archipel record 1
    game: deep-sea
    rules: 1
    seats: 2
    drop_order: taken
    player 1: Ana
    player 2: greedy-1
    start:
      air=25
      ...
    play:
      1 dive [2 3]
      1 take
    end: unfinished

The record of a game at a table also has the proof of its chance, above ``start:``: the lines
``commitment:`` and ``secret:``, one ``nonce N:`` per seat, and one ``seal N:`` per seat (the
SHA-256 of its nonce, published before the secret was fixed; older records have none). A move that
drew chance ends with ``@`` and the number of its first draw.

``resigned: 2`` lists the seats that resigned. ``lesson:`` names the lesson whose script decided all
chance. A game that began from a position has the position (``given:``), and perhaps the moment of
another game that the position is from (``what if:``, a table and an event).

``#`` starts a comment. The last line has the scores by seat, or ``unfinished``; a record without
this line is truncated.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from archipel.game import Game
from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition, NotationError, RuleError, UnknownGameError
from archipel.rules.data_files import DataFileError
from archipel.rules.kit import ChanceError
from archipel.rules.options import OptionError, Options, Value, choice_text
from archipel.rules.sentence import Sentence, Told, ToldError

HEADING = "archipel record 1"
MOST_CHARACTERS = 4_000_000
_MOVE = re.compile(r"(\d+)\s+([^\[\]@]+?)(?:\s*\[([^\[\]]*)\])?(?:\s*@(\d{1,18}))?")
_HASH = re.compile(r"[0-9a-f]{64}")
#: Names of header lines that only a game at a table has; `_ASIDE` has nothing to do with chance.
_ASIDE = frozenset({"resigned", "lesson", "given", "what if"})
_TOLD = _ASIDE | {"commitment", "secret"}
_WHAT_IF = re.compile(r"[A-Za-z0-9_-]{8,32} [0-9]{1,8}")
_NONCE = re.compile(r"[A-Za-z0-9_-]{0,64}")


class RecordError(ToldError):
    """A record is invalid or breaks a rule; the message has the line."""


@dataclass(frozen=True)
class Fairness:
    """The proof of a game's chance: the commitment, and all that is needed to repeat the draws.

    ``secret`` and ``commitment`` are hexadecimal. ``nonces`` has one entry per seat. ``draws`` has
    the number of each move's first draw, or None. ``seals`` is empty, or has one entry per seat,
    which is empty if the seat contributed nothing.
    """

    commitment: str
    secret: str
    nonces: tuple[str, ...]
    draws: tuple[int | None, ...]
    seals: tuple[str, ...] = ()


@dataclass(frozen=True)
class Record:
    """A game and its players; for a game at a table also the proof of its chance."""

    game: Game
    players: tuple[str, ...] = field(default=())
    fairness: Fairness | None = None
    resigned: tuple[int, ...] = ()
    #: The lesson whose script decided all chance.
    lesson: str = ""
    given: str = ""
    """The position that the game began from; unknown parts of it were dealt."""
    what_if: str = ""
    """The moment of another game that the position is from: a table and an event."""

    def __str__(self) -> str:
        return "\n".join(_lines(self)) + "\n"

    def save(self, path: Path) -> None:
        """Write the record atomically."""
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(str(self))
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise


def _lines(record: Record) -> Iterator[str]:
    game, fairness = record.game, record.fairness
    yield HEADING
    yield f"game: {game.name}"
    yield f"rules: {game.definition.rules_version}"
    yield f"seats: {game.seats}"
    for name, value in game.options:
        yield f"{name}: {choice_text(value)}"
    for seat, player in enumerate(record.players):
        yield f"player {seat + 1}: {_one_line(player)}"
    if record.lesson:
        yield f"lesson: {record.lesson}"
    if record.resigned:
        yield f"resigned: {' '.join(str(seat + 1) for seat in record.resigned)}"
    if record.given:
        yield f"given: {record.given}"
    if record.what_if:
        yield f"what if: {record.what_if}"
    if fairness is not None:
        yield f"commitment: {fairness.commitment}"
        yield f"secret: {fairness.secret}"
        for seat, nonce in enumerate(fairness.nonces):
            yield f"nonce {seat + 1}: {nonce}"
        for seat, seal in enumerate(fairness.seals):
            yield f"seal {seat + 1}: {seal}"
    yield "start:"
    for word in game.start.text.split():
        yield f"  {word}"
    yield "play:"
    draws: Sequence[int | None] = () if fairness is None else fairness.draws
    for move, draw in zip_longest(game.moves, draws):
        yield f"  {move}" if draw is None else f"  {move} @{draw}"
    outcome = game.outcome
    scores = "unfinished" if outcome is None else " ".join(map(str, outcome.scores))
    yield f"end: {scores}"


def _one_line(name: str) -> str:
    """Return a name without characters that would start a comment or another line."""
    return " ".join("".join(c if c.isprintable() and c != "#" else " " for c in name).split())


def load_record(path: Path, *, seed: int | None = None) -> Record:
    """Read and replay a record file; raises `RecordError` or `OSError`."""
    if path.stat().st_size > MOST_CHARACTERS:
        raise RecordError(Sentence("{file}: too large for a record", file=path.name))
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(
            Sentence("{file}: not a text file (byte {byte})", file=path.name, byte=error.start)
        ) from None
    return parse_record(text, seed=seed)


def parse_record(text: str, *, seed: int | None = None) -> Record:
    """Parse and replay a record; raises `RecordError` at the first illegal action."""
    if len(text) > MOST_CHARACTERS:
        raise RecordError(Sentence("too large for a record"))
    return _Reader(text).read(seed)


class _Reader:
    """Reads a record line by line; errors have the number of the line."""

    def __init__(self, text: str) -> None:
        self.lines = [
            (number, stripped)
            for number, line in enumerate(text.splitlines(), 1)
            if (stripped := line.partition("#")[0].strip())
        ]
        self.next = 0
        #: The header lines that only a table writes, by name.
        self.told: dict[str, str] = {}

    def refuse(self, why: Told) -> RecordError:
        number = self.lines[self.next - 1][0] if self.next else 1
        return RecordError(Sentence("line {number}: {why}", number=number, why=why))

    def line(self) -> str:
        if self.next == len(self.lines):
            raise self.refuse(
                Sentence("the record breaks off here; its last line should begin with 'end:'")
            )
        self.next += 1
        return self.lines[self.next - 1][1]

    def read(self, seed: int | None) -> Record:
        if not self.lines or self.line() != HEADING:
            raise RecordError(
                Sentence(
                    "line 1: not a record; its first line should be {heading!r}", heading=HEADING
                )
            )
        definition = self._game()
        options, players = self._header(definition)
        game = self._start(definition, options, seed)
        draws = self._play(game)
        resigned = self._resigned(options.seats)
        fairness = self._fairness(options.seats, draws)
        lesson = self.told.get("lesson", "")
        return Record(game, players, fairness, resigned, lesson, *self._origin(definition))

    def _named(self, name: str) -> str:
        line = self.line()
        key, colon, value = line.partition(":")
        if key.strip() != name or not colon:
            raise self.refuse(
                Sentence("expected '{name}: ...', found {line!r}", name=name, line=line)
            )
        return value.strip()

    def _game(self) -> Definition[Any]:
        try:
            definition = game_named(self._named("game"))
        except (UnknownGameError, DataFileError) as error:
            raise self.refuse(error) from None
        version = self._named("rules")
        if version != str(definition.rules_version):
            raise self.refuse(
                Sentence(
                    "played by rules version {version}; this is version {ours}",
                    version=version,
                    ours=definition.rules_version,
                )
            )
        return definition

    def _seats(self, definition: Definition[Any]) -> int:
        text = self._named("seats")
        if text not in map(str, definition.seats):
            raise self.refuse(
                Sentence(
                    "{game} is for {low} to {high} players, not {seats}",
                    game=definition.name,
                    low=definition.seats[0],
                    high=definition.seats[-1],
                    seats=text,
                )
            )
        return int(text)

    def _header(self, definition: Definition[Any]) -> tuple[Options, tuple[str, ...]]:
        seats = self._seats(definition)
        known = {option.name: option for option in definition.options}
        given: dict[str, Value] = {}
        players: dict[str, str] = {}
        try:
            while (line := self.line()) != "start:":
                name, colon, value = (part.strip() for part in line.partition(":"))
                if name.startswith("player ") and colon:
                    players[name] = value
                elif name in known and colon:
                    given[name] = known[name].choose(value)
                elif colon and (name in _TOLD or name.startswith(("nonce ", "seal "))):
                    self.told[name] = value
                else:
                    raise self.refuse(
                        Sentence(
                            "expected an option, a player or 'start:', found {line!r}", line=line
                        )
                    )
            options = definition.make_options(seats, **given)
        except OptionError as error:
            raise self.refuse(error) from None
        expected = [f"player {seat + 1}" for seat in range(options.seats)]
        if players and list(players) != expected:
            raise self.refuse(_expected(expected, players))
        return options, tuple(players.values())

    def _start(self, definition: Definition[Any], options: Options, seed: int | None) -> Game:
        words = []
        while (line := self.line()) != "play:":
            words.append(line)
        try:
            game = Game.from_position(definition.name, " ".join(words), seed=seed)
        except NotationError as error:
            raise self.refuse(Sentence("the start position above: {why}", why=error)) from None
        if game.seats != options.seats:
            raise self.refuse(
                Sentence(
                    "the start position has {found} seats, not {expected}",
                    found=game.seats,
                    expected=options.seats,
                )
            )
        game.options = options
        return game

    def _resigned(self, seats: int) -> tuple[int, ...]:
        words = self.told.get("resigned", "").split()
        if not all(word.isdecimal() and 1 <= int(word) <= seats for word in words):
            raise self.refuse(
                Sentence(
                    "resigned: expected numbers of seats, found {found!r}", found=" ".join(words)
                )
            )
        return tuple(int(word) - 1 for word in words)

    def _origin(self, definition: Definition[Any]) -> tuple[str, str]:
        """Return the given position, and the moment that it is from."""
        given, moment = self.told.get("given", ""), self.told.get("what if", "")
        if moment and not _WHAT_IF.fullmatch(moment):
            raise self.refuse(
                Sentence("what if: expected a table and an event, found {found!r}", found=moment)
            )
        try:
            if given:
                definition.parse_position(given)
        except NotationError as error:
            raise self.refuse(Sentence("the position given above: {why}", why=error)) from None
        return given, moment

    def _fairness(self, seats: int, draws: list[int | None]) -> Fairness | None:
        told = {name: value for name, value in self.told.items() if name not in _ASIDE}
        if not told:
            return None
        nonces = [f"nonce {seat + 1}" for seat in range(seats)]
        seals = [f"seal {seat + 1}" for seat in range(seats)] if "seal 1" in told else []
        expected = ["commitment", "secret", *nonces, *seals]
        if list(told) != expected:
            raise self.refuse(_expected(expected, told))
        for name in ("commitment", "secret", *(name for name in seals if told[name])):
            if not _HASH.fullmatch(told[name]):
                raise self.refuse(
                    Sentence(
                        "{name}: expected 64 hexadecimal digits, found {found!r}",
                        name=name,
                        found=told[name],
                    )
                )
        for name in nonces:
            if not _NONCE.fullmatch(told[name]):
                raise self.refuse(
                    Sentence(
                        "{name}: expected {pattern}, found {found!r}",
                        name=name,
                        pattern=_NONCE.pattern,
                        found=told[name],
                    )
                )
        return Fairness(
            told["commitment"],
            told["secret"],
            tuple(told[name] for name in nonces),
            tuple(draws),
            tuple(told[name] for name in seals),
        )

    def _play(self, game: Game) -> list[int | None]:
        """Replay the moves; return the number of each move's first draw, or None."""
        draws: list[int | None] = []
        while not (line := self.line()).startswith("end:"):
            match = _MOVE.fullmatch(line)
            if not match:
                raise self.refuse(
                    Sentence("expected 'seat action [chance] @draw', found {line!r}", line=line)
                )
            seat, action, chance, draw = match.groups()
            if game.is_over:
                raise self.refuse(Sentence("{line!r}: the game is already over", line=line))
            if seat != str(game.definition.to_move(game.state) + 1):
                raise self.refuse(
                    Sentence(
                        "{line!r}: it is the turn of seat {seat}",
                        line=line,
                        seat=game.definition.to_move(game.state) + 1,
                    )
                )
            self._move(game, action, chance or "")
            draws.append(None if draw is None else int(draw))
        self._end(game, line.removeprefix("end:").split())
        if self.next < len(self.lines):
            self.next += 1
            raise self.refuse(Sentence("nothing may follow the line that begins with 'end:'"))
        return draws

    def _move(self, game: Game, action: str, chance: str) -> None:
        try:
            number = game.parse(action)
            outcomes = game.definition.parse_outcomes(game.state, number, chance)
            game.replay(number, outcomes)
        except (NotationError, RuleError, ChanceError) as error:
            raise self.refuse(error) from None

    def _end(self, game: Game, words: list[str]) -> None:
        outcome = game.outcome
        expected = ["unfinished"] if outcome is None else [str(score) for score in outcome.scores]
        if words != expected:
            raise self.refuse(
                Sentence(
                    "the record says {found!r}, the rules give {expected!r}",
                    found=" ".join(words),
                    expected=" ".join(expected),
                )
            )


def _expected(expected: Iterable[str], found: Iterable[str]) -> Sentence:
    return Sentence(
        "expected the lines {expected}, found {found}",
        expected=", ".join(expected),
        found=", ".join(found),
    )
