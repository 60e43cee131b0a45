"""Game records: a text format to read, edit and replay games.

::

    archipel record 1
    game: deep-sea
    rules: 2
    seats: 2
    drop_order: piled
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

``letter 1: A`` gives the letter of a side's pieces, as the players saw it: moves name them ``A3``.
A record without such lines uses the letters of the notation.

``duplicate:`` names the table whose deal this one played, perhaps its own: its draws are numbered
by purpose (``archipel.tables.log.fair_chance``), the number after ``@`` only counts the outcomes,
and commitment, nonces and seals are those of the table named.

``resigned: 2`` lists the seats that resigned. ``lesson:`` names the lesson whose script decided all
chance. A game that began from a position has the position (``given:``), and perhaps the moment of
another game that the position is from (``what if:``, a table and an event).

A record by an earlier rules version replays by those rules: an option that it does not name has the
default of that version.

``#`` starts a comment. The last line has the scores by seat, or ``unfinished``; a record without
this line is truncated.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from archipel.game import Game
from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition, NotationError, RuleError, UnknownGameError
from archipel.rules.data_files import DataFileError
from archipel.rules.kit import ChanceError
from archipel.rules.options import OptionError, Options, Value, choice_text, wrong_seats
from archipel.rules.sentence import Sentence, Told, ToldError

HEADING = "archipel record 1"
MOST_CHARACTERS = 4_000_000
_MOVE = re.compile(r"(\d+)\s+([^\[\]@]+?)(?:\s*\[([^\[\]]*)\])?(?:\s*@(\d{1,18}))?")
_PIECE = re.compile(r"\b([^\W\d_])([0-9]{1,2})\b")
_HASH = re.compile(r"[0-9a-f]{64}")
#: Header lines that only a game at a table has; those of `_NO_PROOF` do not prove its chance.
_NO_PROOF = frozenset({"resigned", "lesson", "given", "what if"})
_TABLE_LINES = _NO_PROOF | {"commitment", "secret", "duplicate"}
_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{8,32}")
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
    #: The table whose deal this one played, so draws are numbered by purpose; empty at ordinary
    #: tables. The nonces are those of that table.
    origin: str = ""


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
    letters: tuple[str, ...] = ()
    """The letters of pieces in the moves, by side; without any, those of the notation."""

    def __str__(self) -> str:
        return "\n".join(_lines(self)) + "\n"

    def save(self, path: Path | str) -> None:
        """Write the record atomically."""
        path = Path(path)
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
    for side, letter in enumerate(record.letters):
        yield f"letter {side + 1}: {letter}"
    for name, text in (
        ("lesson", record.lesson),
        ("resigned", " ".join(str(seat + 1) for seat in record.resigned)),
        ("given", record.given),
        ("what if", record.what_if),
    ):
        if text:
            yield f"{name}: {text}"
    if fairness is not None:
        if fairness.origin:
            yield f"duplicate: {fairness.origin}"
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
    shown = dict(zip(game.definition.piece_letters, record.letters, strict=False))
    for move, draw in zip_longest(game.moves, draws):
        text = f"  {_renamed(str(move), shown)}"
        yield text if draw is None else f"{text} @{draw}"
    outcome = game.outcome
    scores = "unfinished" if outcome is None else " ".join(map(str, outcome.scores))
    yield f"end: {scores}"


def _renamed(text: str, letters: Mapping[str, str]) -> str:
    """Return a move with other letters in the names of pieces; spaces have other letters."""
    return _PIECE.sub(lambda name: letters.get(name[1], name[1]) + name[2], text)


def _one_line(name: str) -> str:
    """Return a name without characters that would start a comment or another line."""
    return " ".join("".join(c if c.isprintable() and c != "#" else " " for c in name).split())


def load_record(path: Path | str, *, seed: int | None = None) -> Record:
    """Read and replay a record file; raises `RecordError` or `OSError`."""
    path = Path(path)
    if path.stat().st_size > MOST_CHARACTERS:
        raise RecordError("{file}: too large for a record", file=path.name)
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(
            "{file}: not a text file (byte {byte})", file=path.name, byte=error.start
        ) from None
    return parse_record(text, seed=seed)


def parse_record(text: str, *, seed: int | None = None) -> Record:
    """Parse and replay a record; raises `RecordError` at the first illegal action."""
    if len(text) > MOST_CHARACTERS:
        raise RecordError("too large for a record")
    return _Reader(text).read(seed)


class _Reader:
    """Reads a record line by line; errors have the number of the line."""

    def __init__(self, text: str) -> None:
        self.lines = [
            (number, stripped)
            for number, line in enumerate(text.splitlines(), 1)
            # Single spaces only: `_MOVE` would be slow in long runs of them.
            if (stripped := " ".join(line.partition("#")[0].split()))
        ]
        self.next = 0
        self.version = 0
        #: The header lines that only a table writes, by name.
        self.table_lines: dict[str, str] = {}
        self.letters: dict[str, str] = {}

    def _refused(self, why: str | Told, /, **parts: object) -> RecordError:
        number = self.lines[self.next - 1][0] if self.next else 1
        reason = Sentence(why, **parts) if isinstance(why, str) else why
        return RecordError("line {number}: {why}", number=number, why=reason)

    def line(self) -> str:
        if self.next == len(self.lines):
            raise self._refused(
                "the record breaks off here; its last line should begin with 'end:'"
            )
        self.next += 1
        return self.lines[self.next - 1][1]

    def read(self, seed: int | None) -> Record:
        if not self.lines or self.line() != HEADING:
            raise RecordError(
                "line 1: not a record; its first line should be {heading!r}", heading=HEADING
            )
        definition = self._game()
        options, players = self._header(definition)
        game = self._start(definition, options, seed)
        draws = self._play(game)
        resigned = self._resigned(options.seats)
        fairness = self._fairness(options.seats, draws)
        lesson = self.table_lines.get("lesson", "")
        origin, letters = self._origin(definition), tuple(self.letters.values())
        return Record(game, players, fairness, resigned, lesson, *origin, letters)

    def _named(self, name: str) -> str:
        line = self.line()
        key, colon, value = line.partition(":")
        if key.strip() != name or not colon:
            raise self._refused("expected '{name}: ...', found {line!r}", name=name, line=line)
        return value.strip()

    def _game(self) -> Definition[Any]:
        try:
            definition = game_named(self._named("game"))
        except (UnknownGameError, DataFileError) as error:
            raise self._refused(error) from None
        version, ours = self._named("rules"), definition.rules_version
        if version not in map(str, range(1, ours + 1)):
            raise self._refused(
                "played by rules version {version}; this is version {ours}",
                version=version,
                ours=ours,
            )
        self.version = int(version)
        return definition

    def _header(self, definition: Definition[Any]) -> tuple[Options, tuple[str, ...]]:
        text = self._named("seats")
        if text not in map(str, definition.seats):
            raise self._refused(wrong_seats(definition.name, definition.seats, text))
        known = {option.name: option for option in definition.options}
        given: dict[str, Value] = {}
        players: dict[str, str] = {}
        try:
            while (line := self.line()) != "start:":
                name, colon, value = (part.strip() for part in line.partition(":"))
                if name.startswith("player ") and colon:
                    players[name] = value
                elif name.startswith("letter ") and colon:
                    self.letters[name] = value
                elif name in known and colon:
                    given[name] = known[name].choose(value)
                elif colon and (name in _TABLE_LINES or name.startswith(("nonce ", "seal "))):
                    self.table_lines[name] = value
                else:
                    raise self._refused(
                        "expected an option, a player or 'start:', found {line!r}", line=line
                    )
            options = definition.options_of_version(self.version, int(text), given)
        except OptionError as error:
            raise self._refused(error) from None
        self._check_letters(definition)
        if players:
            self._require_lines([f"player {seat + 1}" for seat in range(options.seats)], players)
        return options, tuple(players.values())

    def _check_letters(self, definition: Definition[Any]) -> None:
        """Check that each letter is one capital, and no two sides have the same."""
        count, letters = len(self.letters), list(self.letters.values())
        if count > len(definition.piece_letters):
            most = len(definition.piece_letters)
            raise self._refused("letters: there are at most {most} sides", most=most)
        self._require_lines([f"letter {side + 1}" for side in range(count)], self.letters)
        for letter in letters:
            if not (len(letter) == 1 and letter.isupper()) or letters.count(letter) > 1:
                raise self._refused(
                    "letters: expected different capitals, found {found}", found=" ".join(letters)
                )

    def _require_lines(self, expected: list[str], found: Iterable[str]) -> None:
        if list(found) != expected:
            lists = {"expected": ", ".join(expected), "found": ", ".join(found)}
            raise self._refused("expected the lines {expected}, found {found}", **lists)

    def _start(self, definition: Definition[Any], options: Options, seed: int | None) -> Game:
        words = []
        while (line := self.line()) != "play:":
            words.append(line)
        named = {word.partition("=")[0] for word in " ".join(words).split()}
        words += [
            f"{option.name}={choice_text(options[option.name])}"
            for option in definition.options
            if option.former_defaults and option.name not in named
        ]
        try:
            game = Game.from_position(definition.name, " ".join(words), seed=seed)
        except NotationError as error:
            raise self._refused("the start position above: {why}", why=error) from None
        if game.seats != options.seats:
            raise self._refused(
                "the start position has {found} seats, not {expected}",
                found=game.seats,
                expected=options.seats,
            )
        game.options = options
        return game

    def _resigned(self, seats: int) -> tuple[int, ...]:
        words = self.table_lines.get("resigned", "").split()
        if not all(word.isdecimal() and 1 <= int(word) <= seats for word in words):
            raise self._refused(
                "resigned: expected numbers of seats, found {found!r}", found=" ".join(words)
            )
        return tuple(int(word) - 1 for word in words)

    def _origin(self, definition: Definition[Any]) -> tuple[str, str]:
        """Return the given position, and the moment that it is from."""
        given, moment = self.table_lines.get("given", ""), self.table_lines.get("what if", "")
        if moment and not _WHAT_IF.fullmatch(moment):
            raise self._refused(
                "what if: expected a table and an event, found {found!r}", found=moment
            )
        try:
            if given:
                definition.parse_position(given)
        except NotationError as error:
            raise self._refused("the position given above: {why}", why=error) from None
        return given, moment

    def _fairness(self, seats: int, draws: list[int | None]) -> Fairness | None:
        proof = {n: value for n, value in self.table_lines.items() if n not in _NO_PROOF}
        if not proof:
            return None
        origin = proof.pop("duplicate", "")
        if origin and not _TABLE_ID.fullmatch(origin):
            raise self._refused("duplicate: expected a table, found {found!r}", found=origin)
        nonces = [f"nonce {seat + 1}" for seat in range(seats)]
        seals = [f"seal {seat + 1}" for seat in range(seats)] if "seal 1" in proof else []
        self._require_lines(["commitment", "secret", *nonces, *seals], proof)
        for name in ("commitment", "secret", *(name for name in seals if proof[name])):
            if not _HASH.fullmatch(proof[name]):
                raise self._refused(
                    "{name}: expected 64 hexadecimal digits, found {found!r}",
                    name=name,
                    found=proof[name],
                )
        for name in nonces:
            if not _NONCE.fullmatch(proof[name]):
                raise self._refused(
                    "{name}: expected {pattern}, found {found!r}",
                    name=name,
                    pattern=_NONCE.pattern,
                    found=proof[name],
                )
        return Fairness(
            proof["commitment"],
            proof["secret"],
            tuple(proof[name] for name in nonces),
            tuple(draws),
            tuple(proof[name] for name in seals),
            origin,
        )

    def _play(self, game: Game) -> list[int | None]:
        """Replay the moves; return the number of each move's first draw, or None."""
        draws: list[int | None] = []
        letters = game.definition.piece_letters
        in_notation = dict(zip(self.letters.values(), letters, strict=False))
        while not (line := self.line()).startswith("end:"):
            match = _MOVE.fullmatch(line)
            if not match:
                raise self._refused(
                    "expected 'seat action [chance] @draw', found {line!r}", line=line
                )
            seat, action, chance, draw = match.groups()
            if game.is_over:
                raise self._refused("{line!r}: the game is already over", line=line)
            to_move = game.definition.to_move(game.state) + 1
            if seat != str(to_move):
                raise self._refused(
                    "{line!r}: it is the turn of seat {seat}", line=line, seat=to_move
                )
            try:
                number = game.parse(_renamed(action, in_notation))
                outcomes = game.definition.parse_outcomes(game.state, number, chance or "")
                game.replay(number, outcomes)
            except (NotationError, RuleError, ChanceError) as error:
                raise self._refused(error) from None
            draws.append(None if draw is None else int(draw))
        outcome = game.outcome
        expected = "unfinished" if outcome is None else " ".join(map(str, outcome.scores))
        if (found := " ".join(line.removeprefix("end:").split())) != expected:
            raise self._refused(
                "the record says {found!r}, the rules give {expected!r}",
                found=found,
                expected=expected,
            )
        if self.next < len(self.lines):
            self.next += 1
            raise self._refused("nothing may follow the line that begins with 'end:'")
        return draws
