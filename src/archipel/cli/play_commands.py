"""What a player can type during a game: an action or a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from archipel.cli.errors import UserError
from archipel.cli.game_text import action_labels, tell
from archipel.cli.rules import chosen_rules
from archipel.game import Action
from archipel.rules.action_sequences import parse_sequence
from archipel.rules.contract import NotationError, RuleError
from archipel.rules.localized_notation import localize, read_localized

if TYPE_CHECKING:
    from archipel.cli.terminal_game import TerminalGame


LONGEST_ANSWER = 500


def answer(table: TerminalGame, seat: int, text: str) -> None:
    """Perform a typed action or command; raises `UserError`."""
    if len(text) > LONGEST_ANSWER:
        raise UserError("play.too_long", most=LONGEST_ANSWER)
    word, _, rest = text.partition(" ")
    if command := _command(table, word.lower()):
        command(table, seat, rest.strip())
    elif text:
        table.game.play(*_choices(table, text))
    else:
        table.show_choices()


def _command(table: TerminalGame, word: str) -> Callable[[TerminalGame, int, str], None] | None:
    """Find a command by its English name or by its names in the game's language."""
    for name, command in COMMANDS.items():
        if word == name or word in table.words.say(f"command.{name}").split():
            return command
    return None


def _choices(table: TerminalGame, text: str) -> Sequence[int]:
    """The actions of a typed text: one, or several stages of a decision (``w1 to g6``)."""
    try:
        return [_choice(table, text)]
    except UserError as error:
        stages = _stages(table, text) if error.key == "play.garbled" else None
        if stages is None:
            raise
        return stages


def _choice(table: TerminalGame, text: str) -> Action:
    """Find a legal action by its number, its notation, or the beginning of its description."""
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
            for said in (action.text, localize(catalogue, action.text), label.casefold())
        )
    ]
    if len(begins) == 1:
        return begins[0]
    try:
        number = _parsed(table, text)
    except NotationError:
        choices = ", ".join(localize(catalogue, action.text) for action, _ in labels)
        raise UserError("play.garbled", text=text[:40], choices=choices) from None
    for action, _ in labels:
        if action == number:
            return action
    refusal = game.definition.refuse(game.state, number, table.language)
    raise UserError("play.refused", reason=refusal.reason, rule=refusal.rule)


def _stages(table: TerminalGame, text: str) -> list[int] | None:
    game = table.game
    for said in (text, read_localized(game.definition.catalogue(table.language), text)):
        try:
            found = parse_sequence(game.definition, game.state, said, table.language)
        except RuleError as refused:
            raise UserError("play.refused", reason=refused.reason, rule=refused.rule) from None
        if found:
            return found
    return None


def _parsed(table: TerminalGame, text: str) -> int:
    """Parse an action in English or localized notation."""
    game = table.game
    try:
        return game.definition.parse_action(game.state, text)
    except NotationError:
        written = read_localized(game.definition.catalogue(table.language), text)
        return game.definition.parse_action(game.state, written)


def _in_words(table: TerminalGame, action: Action) -> str:
    return localize(table.game.definition.catalogue(table.language), action.text)


def _undo(table: TerminalGame, seat: int, rest: str) -> None:
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


def _save(table: TerminalGame, seat: int, rest: str) -> None:
    saved = table.save(Path(rest) if rest else None)
    table.screen.line(table.words.say("play.saved", file=saved))


def _rules(table: TerminalGame, seat: int, rest: str) -> None:
    booklet = table.game.definition.booklet(table.language)
    table.screen.line(chosen_rules(booklet, rest.split()))


def _log(table: TerminalGame, seat: int, rest: str) -> None:
    """Print all events that this seat may know; on a shared screen only the public ones."""
    may_read = {seat} if len(table.people) == 1 else set()
    for index in range(len(table.game.moves)):
        for event in table.game.events(index):
            if event.seen_by is None or event.seen_by & may_read:
                table.screen.line(tell(table.game, event, table.words, table.players))


def _show(table: TerminalGame, seat: int, rest: str) -> None:
    table.show(seat)


def _help(table: TerminalGame, seat: int, rest: str) -> None:
    table.screen.line(table.words.say("play.help"))
    phase = table.game.definition.question(table.game.state)
    table.screen.line(tell(table.game, phase, table.words, table.players))
    table.show_choices()


def _quit(table: TerminalGame, seat: int, rest: str) -> None:
    table.leave()


COMMANDS: dict[str, Callable[[TerminalGame, int, str], None]] = {
    "undo": _undo,
    "save": _save,
    "rules": _rules,
    "log": _log,
    "show": _show,
    "help": _help,
    "quit": _quit,
}
