"""A game at one terminal, with people who share it and bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from archipel.bots import Bot
from archipel.bots.external.bot_program import ProgramBot
from archipel.bots.external.line_process import ProcessFailed
from archipel.bots.external.worker_protocol import Candidate
from archipel.cli.errors import InputEnded, UserError
from archipel.cli.game_text import (
    Reason,
    action_labels,
    coloured,
    final_table,
    list_lines,
    parse_typed,
    reason_for,
    reason_lines,
    seats_line,
    tell,
)
from archipel.cli.games import chosen_rules
from archipel.cli.players import AnyBot, Player, WarmingBot, default_bot
from archipel.cli.record_files import save_record
from archipel.cli.screen import Screen, grouped, one_per_line
from archipel.game import Action, Game
from archipel.record import Record
from archipel.rules.catalogue import Catalogue
from archipel.rules.contract import SPECTATOR, Event
from archipel.rules.kit import Stream, stream_key
from archipel.rules.localized_notation import localize

#: Lines of news that are always shown.
LEAST_NEWS = 2
LONGEST_ANSWER = 500


class Leave(Exception):
    """The players leave the game."""


@dataclass
class TerminalGame:
    """The game, its players, and the state of the screen."""

    game: Game
    players: list[Player]
    words: Catalogue
    screen: Screen
    seed: int
    save_path: Path | None = None
    autosave: bool = False
    may_replace: set[Path] = field(default_factory=set)
    force: bool = False
    # Sentences since a person last saw the screen.
    news: list[str] = field(default_factory=list)
    last_person: int | None = None
    # Bots whose stand-in was announced.
    announced_stand_ins: set[str] = field(default_factory=set)
    moves_saved: int = 0
    # Reasons of bots that search, by number of the move.
    reasons: dict[int, Reason] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]

    @property
    def people(self) -> list[int]:
        return [seat for seat, player in enumerate(self.players) if player.bot is None]

    def tell(self, event: Event) -> str:
        return tell(self.game, event, self.words, self.names)

    def in_words(self, action: Action) -> str:
        """An action in localized notation."""
        return localize(self.game.definition.catalogue(self.words.language), action.text)

    # ---- the game -------------------------------------------------------------------------------

    def play(self) -> None:
        """Play to the end of the game; raises `Leave` if the players leave."""
        while (seat := self.game.to_move) is not None:
            if self.players[seat].bot is None:
                self._person_decides(seat)
            else:
                self._bot_decides(seat)
        self._show_end()
        if self.autosave:
            self.save(self.save_path)
        if self.people and self.reasons:
            self._explain_decisions()

    def _bot_decides(self, seat: int) -> None:
        bot = self.players[seat].bot
        assert bot is not None
        view = self.game.definition.recalled(self.game.state, seat)
        legal = self.game.definition.legal_actions(self.game.state)
        chance = Stream(stream_key(stream_key(self.seed, 1), len(self.game.moves)))
        self._announce_stand_in(bot)
        candidates: Sequence[Candidate] = ()
        try:
            if isinstance(bot, WarmingBot | ProgramBot):
                action, candidates = bot.consider(view, legal, chance=chance)
            else:
                action = bot.choose(view, legal, chance=chance)
        except ProcessFailed as failure:
            self._replace_bot(seat, bot.name, failure)
            return
        if candidates:
            self.reasons[len(self.game.moves) + 1] = reason_for(
                self.game, self.names[seat], action, candidates, self.words.language
            )
        self.game.play(action)
        self._report_move()

    def _announce_stand_in(self, bot: AnyBot) -> None:
        """Announce once that another bot plays while the search is compiled."""
        stand_in = bot.stand_in if isinstance(bot, WarmingBot) else None
        if stand_in and bot.name not in self.announced_stand_ins:
            self.announced_stand_ins.add(bot.name)
            self._report(self.words.say("play.stand_in", bot=bot.name, stand_in=stand_in))

    def _replace_bot(self, seat: int, failed: str, why: ProcessFailed) -> None:
        """Replace a failed program by the default bot, and announce it."""
        house = Bot.named(self.game.name, default_bot(self.game.name))
        self.players[seat] = replace(self.players[seat], bot=house)
        self._report(self.words.say("play.bot_failed", failed=failed, why=why, bot=house.name))

    def _person_decides(self, seat: int) -> None:
        self._hand_over(seat)
        self.show(seat)
        played = len(self.game.moves)
        while len(self.game.moves) == played:
            prompt = self.screen.prompt(f"{self.names[seat]} > ", "key")
            answer = self.screen.ask(prompt, self._completions())
            try:
                self._answer(seat, answer)
            except UserError as error:
                self.screen.line(error.tell(self.words), "warning")
        for index in range(played, len(self.game.moves)):
            self._report_move(index)
        if self.autosave and len(self.game.moves) > played:
            self.save(self.save_path)

    def _completions(self) -> list[str]:
        """All actions and commands that can be typed now."""
        named = [self.words.say(f"command.{name}").split()[:1] for name in COMMANDS]
        return [*map(self.in_words, self.game.legal), *(word for words in named for word in words)]

    # ---- commands -------------------------------------------------------------------------------

    def _answer(self, seat: int, text: str) -> None:
        """Perform a typed action or command; raises `UserError`."""
        if len(text) > LONGEST_ANSWER:
            raise UserError("play.too_long", most=LONGEST_ANSWER)
        word, _, rest = text.partition(" ")
        for name, command in COMMANDS.items():
            if word.lower() in (name, *self.words.say(f"command.{name}").split()):
                command(self, seat, rest.strip())
                return
        if text:
            self.game.play(*parse_typed(self.game, text, self.words))
        else:
            self.show_choices()

    def _undo(self) -> None:
        if not self.game.moves:
            raise UserError("undo.nothing")
        last = self.game.moves[-1]
        name, action = self.names[last.seat], self.in_words(last.action)
        if self.players[last.seat].bot is not None:
            raise UserError("undo.bot", name=name)
        if last.outcomes:
            raise UserError("undo.chance", name=name, action=action)
        if not self.game.can_take_back:
            raise UserError("undo.seen", name=name, action=action)
        self.game.undo()
        self.news.append(self.words.say("undo.done", name=name, action=action))
        if not self.screen.is_terminal:
            self.screen.lines(self.news)

    def _show_log(self, seat: int) -> None:
        """Print all events that this seat may know; on a shared screen only the public ones."""
        may_read = {seat} if len(self.people) == 1 else set()
        for index in range(len(self.game.moves)):
            for event in self.game.events(index):
                if event.seen_by is None or event.seen_by & may_read:
                    self.screen.line(self.tell(event))

    def _help(self) -> None:
        self.screen.line(self.words.say("play.help"))
        self.screen.line(self.tell(self.game.definition.question(self.game.state)))
        self.show_choices()

    def _save(self, file: str) -> None:
        saved = self.save(Path(file) if file else None)
        self.screen.line(self.words.say("play.saved", file=saved))

    def _show_rules(self, ids: str) -> None:
        booklet = self.game.definition.booklet(self.words.language)
        self.screen.line(chosen_rules(booklet, ids.split()))

    # ---- output ---------------------------------------------------------------------------------

    def show(self, seat: int) -> None:
        """Show the news, the position as a seat sees it, the question and the choices.

        On a terminal, shortens the news and the choices so that the board stays visible.
        """
        definition = self.game.definition
        view = definition.seen(self.game.state, seat)
        question = self.tell(definition.question(view))
        asked = self.words.say("play.asked", name=self.names[seat], question=question)
        board = [
            *coloured(self.game, view, definition.picture(view, self.words.language), self.screen),
            "",
            seats_line(self.players, self.words.language, self.screen),
            "",
        ]
        self.screen.clear()
        room = None
        if self.screen.is_terminal:
            fixed = [*board, asked, self.words.say("play.hint"), ""]  # and the prompt
            room = self.screen.rows - sum(map(self.screen.height, fixed))
            left = room - sum(map(self.screen.height, self._choices(room))) - 1
            self.screen.lines(self._latest_news(max(left, LEAST_NEWS)), "faint")
            self.screen.line()
        self.news.clear()
        self.screen.lines(board)
        self.screen.line(asked, "strong")
        self.show_choices(room)

    def _latest_news(self, room: int) -> list[str]:
        """The latest lines that fit; the log has all of them."""
        shown: list[str] = []
        for sentence in reversed(self.news):
            room -= self.screen.height(sentence)
            if room < (1 if len(shown) + 1 < len(self.news) else 0):
                return ["…", *shown] if room >= 0 or shown else shown
            shown.insert(0, sentence)
        return shown

    def show_choices(self, room: int | None = None) -> None:
        """Show all choices, with their descriptions if there is room."""
        self.screen.lines(self._choices(room))
        self.screen.line(self.words.say("play.hint"), "faint")

    def _choices(self, room: int | None = None) -> list[str]:
        """Choices one per line, or side by side if there is too little room."""
        labels = action_labels(self.game, self.words)
        written = [self.in_words(action) for action, _ in labels]
        lines = one_per_line(written, [label for _, label in labels], self.screen.styled)
        if room is None or sum(map(self.screen.height, lines)) < room:
            return lines
        return grouped(written, self.screen.columns, self.screen.styled)

    def _report_move(self, index: int = -1) -> None:
        """Report the events of a move; secret ones only to the seats that may see them."""
        events = self.game.events(index)
        for event in events:
            if event.seen_by is None:
                self._report(self.tell(event))
        for event in events:
            if event.seen_by is not None and event.seen_by & set(self.people):
                self._report_secret(event, event.seen_by & set(self.people))

    def _report(self, sentence: str) -> None:
        # A terminal is cleared before the next decision and shows the news then.
        if self.screen.is_terminal and self.people:
            self.news.append(sentence)
        else:
            self.screen.line(sentence)

    def _report_secret(self, event: Event, seats: Set[int]) -> None:
        """Report a secret event. With several people at one screen, the others look away first."""
        sentence = self.tell(event)
        if len(self.people) == 1:
            self._report(sentence)
            return
        for seat in sorted(seats):
            self.screen.clear()
            self.screen.lines(self.news, "faint")
            self.screen.ask(self.words.say("play.look_away", name=self.names[seat]))
            self.screen.line(sentence, "strong")
            self.screen.ask(self.words.say("play.looked"))
            self.screen.clear(forget=True)

    def _hand_over(self, seat: int) -> None:
        """Pause before a screen that the others must not see."""
        definition, state = self.game.definition, self.game.state
        secret = definition.seen(state, seat) != definition.seen(state, SPECTATOR)
        if secret and len(self.people) > 1 and self.last_person not in (None, seat):
            self.screen.clear(forget=True)
            self.screen.ask(self.words.say("play.hand_over", name=self.names[seat]))
        self.last_person = seat

    def _show_end(self) -> None:
        picture = self.game.definition.picture(self.game.state, self.words.language)
        self.screen.clear()
        table = final_table(self.game, self.words, self.names)
        self.screen.lines([*self.news, "", picture, "", *table])

    def _explain_decisions(self) -> None:
        """Explain the bots' decisions that the players ask about."""
        while True:
            try:
                answer = self.screen.ask(self.words.say("why.ask")).lower()
            except InputEnded:
                return
            if not answer:
                return
            if answer in self.words.say("why.list").split():
                self.screen.lines(list_lines(self.reasons, self.words))
            elif answer.isdecimal() and (reason := self.reasons.get(int(answer[:9]))):
                self.screen.lines(reason_lines(int(answer), reason, self.words))
            else:
                self.screen.line(self.words.say("why.none", text=answer[:40]), "warning")

    # ---- saving and leaving ---------------------------------------------------------------------

    def save(self, path: Path | None) -> Path:
        """Save the game, by default to the file of the last save or of ``--resume``."""
        target = path or self.save_path
        if target is None:
            raise UserError("play.save_where")
        may_replace = self.force or target.absolute() in self.may_replace
        save_record(Record(self.game, tuple(self.names)), target, may_replace=may_replace)
        self.may_replace.add(target.absolute())
        self.save_path = target
        self.moves_saved = len(self.game.moves)
        return target

    def leave(self) -> None:
        """Offer to save unsaved moves, then raise `Leave`."""
        question = self.words.say("play.offer_save")
        if self.save_path is not None:
            question = self.words.say("play.offer_save_again", file=self.save_path)
        while len(self.game.moves) != self.moves_saved:
            try:
                answer = self.screen.ask(question)
            except InputEnded:
                break
            no_words = self.words.say("answer.no").split()
            if answer.lower() in no_words or (not answer and self.save_path is None):
                break
            named = answer and answer.lower() not in self.words.say("answer.yes").split()
            try:
                self._save(answer if named else "")
            except UserError as error:
                self.screen.line(error.tell(self.words), "warning")
        raise Leave


#: Commands that a player can type, with the seat of the player and the rest of the line.
COMMANDS: dict[str, Callable[[TerminalGame, int, str], None]] = {
    "undo": lambda table, seat, rest: table._undo(),
    "save": lambda table, seat, rest: table._save(rest),
    "rules": lambda table, seat, rest: table._show_rules(rest),
    "log": lambda table, seat, rest: table._show_log(seat),
    "show": lambda table, seat, rest: table.show(seat),
    "help": lambda table, seat, rest: table._help(),
    "quit": lambda table, seat, rest: table.leave(),
}
