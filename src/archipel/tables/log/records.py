"""The record of a table's game, and the verification of the chance in a record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from archipel.game import Game
from archipel.record import Fairness, Record
from archipel.rules.kit import Tape, clone
from archipel.tables.commands import COLOURS
from archipel.tables.log.fair_chance import (
    DuplicateChance,
    FairChance,
    chance_key,
    commitment,
    seal_of,
)
from archipel.tables.log.fold import first_position
from archipel.tables.log.table_state import TableState

_COLOUR_LETTERS = dict(zip(COLOURS, "WYSVBK", strict=True))


def record_of(table: TableState) -> Record:
    """The record of a game whose secret is published, with all that `verify` needs.

    The record of a lesson begins with the last position that its script set up.
    """
    if table.start is None or (table.secret is None and table.progress is None):
        raise ValueError("the game has not begun, or its secret is not open yet")
    start = table.definition.position_text(table.start.unpack())
    game, created = Game.from_position(table.game, start), table.created
    moves = [move.event for move in table.moves]
    for move in moves:
        game.replay(move.action, tuple(move.outcomes))
    names = tuple(seat.name for seat in table.seats)
    letters = piece_letters(table)
    if table.progress is not None:
        return Record(game, names, lesson=table.progress.lesson, letters=letters)
    game.options = table.options
    return Record(
        game,
        names,
        Fairness(
            commitment=table.commitment,
            secret=table.secret or "",
            nonces=table.nonces,
            draws=tuple(move.first_draw if move.outcomes else None for move in moves),
            seals=table.seals,
            origin=table.origin,
        ),
        tuple(seat for seat, who in enumerate(table.seats) if who.resigned),
        given=created.position,
        what_if=f"{created.what_if} {created.what_if_n}" if created.what_if else "",
        letters=letters,
    )


def piece_letters(table: TableState) -> tuple[str, ...]:
    """The letters of the sides' pieces, as the page shows them in English.

    They are the initials of the players, if these are letters and no two sides share one, else the
    letters of the colours. The second side of a player has the letter of a free colour.
    """
    definition, seats = table.definition, table.seats
    if not definition.piece_letters:
        return ()
    two_sides = any(option.name == "two_colours" for option in definition.options)
    taken = [seat.colour for seat in seats]
    free = [colour for colour in COLOURS if colour not in taken]
    colours = [*taken, *free[: len(seats) if two_sides and len(seats) == 2 else 0]]
    by_colour = [_COLOUR_LETTERS[colour] for colour in colours]
    initials = [
        *(
            seat.name.strip()[:1].upper() if not seat.name[-1:].isdecimal() else ""
            for seat in seats
        ),
        *by_colour[len(seats) :],
    ]
    clear = all(len(each) == 1 and each.isupper() for each in initials)
    return tuple(initials if clear and len(set(initials)) == len(initials) else by_colour)


@dataclass(frozen=True)
class Verdict:
    """The result of verifying a record: the faults found, as sentences."""

    outcomes: int
    faults: tuple[str, ...]
    #: The seats whose sealed nonces contributed. Without any, the server could have chosen the
    #: secret.
    shares: tuple[int, ...] = ()

    @property
    def is_fair(self) -> bool:
        return not self.faults

    def __str__(self) -> str:
        if self.is_fair:
            return (
                f"The secret is the one that was committed to, and the deal and all "
                f"{self.outcomes} outcomes of chance in play come from it."
            )
        return "\n".join(self.faults)


def verify(record: Record, commitments: Iterable[str] = ()) -> Verdict:
    """Recompute the deal and every outcome, and compare them with the record.

    ``commitments`` are hashes that somebody noted when the game began, of the secret or of nonces;
    the record has to contain each of them.
    """
    fairness, game = record.fairness, record.game
    if record.lesson:
        return Verdict(0, ("This was a lesson: its chance was written beforehand.",))
    if fairness is None:
        return Verdict(0, ("The record tells no secret: its chance cannot be checked.",))
    faults = []
    secret = bytes.fromhex(fairness.secret)
    if commitment(secret) != fairness.commitment:
        faults.append(
            f"The secret is not the one committed to: its SHA-256 is {commitment(secret)}."
        )
    faults += _faults_of_seals(fairness)
    for seen in commitments:
        if seen.lower() not in (fairness.commitment, *fairness.seals):
            faults.append(f"The record does not open the commitment {seen.lower()}.")
    duplicate = bool(fairness.origin)
    key = chance_key(secret, fairness.nonces, duplicate=duplicate)
    chance = DuplicateChance(key) if duplicate else FairChance(key, 0)
    first = first_position(game.definition, game.options, record.given, chance)
    start = game.definition.position_text(first)
    if start != game.start.text:
        faults.append(f"The deal is not what the secret gives, which is: {start}")
    next_draw = sum(chance.drawn) if isinstance(chance, DuplicateChance) else chance.next_draw
    checked = 0
    state = clone(game.start.state)
    for number, (move, draw) in enumerate(zip(game.moves, fairness.draws, strict=True), 1):
        where = f"Move {number} ({move})"
        if draw is not None and draw != next_draw:
            faults.append(f"{where} begins with draw {draw}, the next one is {next_draw}.")
        if draw is None and move.outcomes:
            faults.append(f"{where} does not say which draws it used.")
        expected = Tape((), chance if duplicate else FairChance(key, next_draw))
        game.definition.apply(clone(state), move.action, expected)
        if tuple(expected.outcomes) != move.outcomes:
            text = game.definition.outcomes_text(state, move.action, tuple(expected.outcomes))
            faults.append(f"{where}: the secret gives [{text}].")
        game.definition.apply(state, move.action, Tape(move.outcomes))
        next_draw += len(move.outcomes)
        checked += len(move.outcomes)
    shares = tuple(seat for seat, seal in enumerate(fairness.seals) if seal)
    return Verdict(checked, tuple(faults), shares)


def _faults_of_seals(fairness: Fairness) -> list[str]:
    """Faults of nonces that do not match their seals; records of older tables have no seals."""
    return [
        f"The nonce of seat {seat} is not the one that was sealed: its SHA-256 is {seal_of(nonce)}."
        for seat, (seal, nonce) in enumerate(zip(fairness.seals, fairness.nonces, strict=False), 1)
        if seal != (seal_of(nonce) if nonce else "")
    ]
