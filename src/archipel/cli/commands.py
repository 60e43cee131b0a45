"""What a person can type during a game: a choice, or one of a few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from archipel.cli.errors import UserError
from archipel.cli.rules import chosen_rules
from archipel.cli.telling import action_labels, tell
from archipel.game import Action
from archipel.rules.contract import NotationError, RuleError
from archipel.rules.stages import in_stages
from archipel.rules.typed import in_notation, in_words_of

if TYPE_CHECKING:
    from archipel.cli.table import Table


LONGEST_ANSWER = 500


def answer(table: Table, seat: int, text: str) -> None:
    """Do what was typed; raises `UserError` if it means nothing here."""
    if len(text) > LONGEST_ANSWER:
        raise UserError("play.too_long", most=LONGEST_ANSWER)
    word, _, rest = text.partition(" ")
    if command := _command(table, word.lower()):
        command(table, seat, rest.strip())
    elif text:
        table.game.play(*_choices(table, text))
    else:
        table.show_choices()


def _command(table: Table, word: str) -> Callable[[Table, int, str], None] | None:
    """By its English name, or by its names in the language of the table."""
    for name, command in COMMANDS.items():
        if word == name or word in table.words.say(f"command.{name}").split():
            return command
    return None


def _choices(table: Table, text: str) -> Sequence[int]:
    """What was typed: one action, or several stages of a decision in one go (``w1 to g6``)."""
    try:
        return [_choice(table, text)]
    except UserError as error:
        stages = _stages(table, text) if error.key == "play.garbled" else None
        if stages is None:
            raise
        return stages


def _choice(table: Table, text: str) -> Action:
    """A legal action by its number, its notation, or the beginning of either wording."""
    game = table.game
    labels = action_labels(game, table.words)
    if text.isascii() and text.isdigit():
        if len(text) < 4 and 1 <= int(text) <= len(labels):
            return labels[int(text) - 1][0]
        raise UserError("play.no_number", number=text[:20], most=len(labels))
    wanted = " ".join(text.casefold().split())
    catalogue = game.definition.catalogue(table.language)
    begins = [
        action
        for action, label in labels
        if any(
            said.startswith(wanted)
            for said in (action.text, in_words_of(catalogue, action.text), label.casefold())
        )
    ]
    if len(begins) == 1:
        return begins[0]
    try:
        number = _parsed(table, text)
    except NotationError:
        choices = ", ".join(in_words_of(catalogue, action.text) for action, _ in labels)
        raise UserError("play.garbled", text=text[:40], choices=choices) from None
    for action, _ in labels:
        if action == number:
            return action
    refusal = game.definition.refuse(game.state, number, table.language)
    raise UserError("play.refused", reason=refusal.reason, rule=refusal.rule)


def _stages(table: Table, text: str) -> list[int] | None:
    game = table.game
    for said in (text, in_notation(game.definition.catalogue(table.language), text)):
        try:
            found = in_stages(game.definition, game.state, said, table.language)
        except RuleError as refused:
            raise UserError("play.refused", reason=refused.reason, rule=refused.rule) from None
        if found:
            return found
    return None


def _parsed(table: Table, text: str) -> int:
    """An action by its notation, in English or in the words of the table's language."""
    game = table.game
    try:
        return game.definition.parse_action(game.state, text)
    except NotationError:
        written = in_notation(game.definition.catalogue(table.language), text)
        return game.definition.parse_action(game.state, written)


def _in_words(table: Table, action: Action) -> str:
    return in_words_of(table.game.definition.catalogue(table.language), action.text)


def _undo(table: Table, seat: int, rest: str) -> None:
    game = table.game
    if not game.moves:
        raise UserError("undo.nothing")
    last = game.moves[-1]
    who = table.players[last.seat]
    if who.bot is not None:
        raise UserError("undo.bot", name=who.name)
    if last.outcomes:
        raise UserError("undo.chance", name=who.name, action=_in_words(table, last.action))
    if not game.can_take_back:
        raise UserError("undo.seen", name=who.name, action=_in_words(table, last.action))
    game.undo()
    table.news.append(
        table.words.say("undo.done", name=who.name, action=_in_words(table, last.action))
    )
    if not table.screen.is_terminal:
        table.screen.lines(table.news)


def _save(table: Table, seat: int, rest: str) -> None:
    saved = table.save(Path(rest) if rest else None)
    table.screen.line(table.words.say("play.saved", file=saved))


def _rules(table: Table, seat: int, rest: str) -> None:
    booklet = table.game.definition.booklet(table.language)
    table.screen.line(chosen_rules(booklet, rest.split()))


def _log(table: Table, seat: int, rest: str) -> None:
    """All that this seat may know; the rest of a shared screen's secrets stay untold."""
    may_read = {seat} if len(table.people) == 1 else set()
    for index in range(len(table.game.moves)):
        for event in table.game.events(index):
            if event.seen_by is None or event.seen_by & may_read:
                table.screen.line(tell(table.game, event, table.words, table.players))


def _show(table: Table, seat: int, rest: str) -> None:
    table.show(seat)


def _help(table: Table, seat: int, rest: str) -> None:
    table.screen.line(table.words.say("play.help"))
    phase = table.game.definition.question(table.game.state)
    table.screen.line(tell(table.game, phase, table.words, table.players))
    table.show_choices()


def _quit(table: Table, seat: int, rest: str) -> None:
    table.leave()


COMMANDS: dict[str, Callable[[Table, int, str], None]] = {
    "undo": _undo,
    "save": _save,
    "rules": _rules,
    "log": _log,
    "show": _show,
    "help": _help,
    "quit": _quit,
}
