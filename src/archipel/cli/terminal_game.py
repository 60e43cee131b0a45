"""A game at one terminal, for people who share it and bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from archipel.bots import Bot
from archipel.bots.external.bot_program import ProgramBot
from archipel.bots.external.line_process import ProcessFailed
from archipel.bots.external.worker_protocol import Candidate
from archipel.cli import play_commands
from archipel.cli.errors import InputEnded, UserError
from archipel.cli.game_text import (
    Reason,
    action_labels,
    coloured,
    final_table,
    list_lines,
    names_of,
    reason_for,
    reason_lines,
    seats_line,
    tell,
)
from archipel.cli.players import AnyBot, PatientBot, Player, usual_bot
from archipel.cli.record_files import save_record
from archipel.cli.screen import Screen, grouped, one_a_line
from archipel.game import Game
from archipel.record import Record
from archipel.rules.catalogue import Catalogue
from archipel.rules.contract import SPECTATOR, Event
from archipel.rules.kit import Stream, stream_key
from archipel.rules.localized_notation import localize

#: Lines of news that are always shown.
LEAST_NEWS = 2


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
    saves_itself: bool = False
    may_replace: set[Path] = field(default_factory=set)
    force: bool = False
    # What happened since a person last saw the screen.
    news: list[str] = field(default_factory=list)
    last_person: int | None = None
    # Bots whose stand-in was announced.
    announced_stand_ins: set[str] = field(default_factory=set)
    moves_saved: int = 0
    # Reasons of bots that search, by number of the move.
    reasons: dict[int, Reason] = field(default_factory=dict)

    @property
    def language(self) -> str:
        return self.words.language

    @property
    def people(self) -> list[int]:
        return [seat for seat, player in enumerate(self.players) if player.bot is None]

    # ---- the game -------------------------------------------------------------------------------

    def play(self) -> None:
        """Play to the end of the game; raises `Leave` if the players leave."""
        while (seat := self.game.to_move) is not None:
            if self.players[seat].bot is None:
                self._person_decides(seat)
            else:
                self._bot_decides(seat)
        self._show_end()
        if self.saves_itself:
            self.save(self.save_path)
        if self.people and self.reasons:
            self._tell_reasons()

    def _bot_decides(self, seat: int) -> None:
        bot = self.players[seat].bot
        assert bot is not None
        view = self.game.definition.recalled(self.game.state, seat)
        legal = self.game.definition.legal_actions(self.game.state)
        chance = Stream(stream_key(stream_key(self.seed, 1), len(self.game.moves)))
        self._tell_who_stands_in(bot)
        candidates: Sequence[Candidate] = ()
        try:
            if isinstance(bot, PatientBot | ProgramBot):
                action, candidates = bot.consider(view, legal, chance=chance)
            else:
                action = bot.choose(view, legal, chance=chance)
        except ProcessFailed as failure:
            self._replace_bot(seat, bot.name, failure)
            return
        if candidates:
            name = self.players[seat].name
            reason = reason_for(self.game, name, action, candidates, self.language)
            self.reasons[len(self.game.moves) + 1] = reason
        self.game.play(action)
        self._tell_move()

    def _tell_who_stands_in(self, bot: AnyBot) -> None:
        """Announce once that another bot plays while the search is compiled."""
        if (
            isinstance(bot, PatientBot)
            and bot.stand_in
            and bot.name not in self.announced_stand_ins
        ):
            self.announced_stand_ins.add(bot.name)
            said = self.words.say("play.stand_in", bot=bot.name, stand_in=bot.stand_in)
            self._tell_all(said)

    def _replace_bot(self, seat: int, failed: str, why: ProcessFailed) -> None:
        """Replace a failed program by the default bot, and announce it."""
        player = self.players[seat]
        house = Bot.named(self.game.name, usual_bot(self.game.name))
        self.players[seat] = replace(player, bot=house)
        said = self.words.say("play.bot_failed", failed=failed, why=why, bot=house.name)
        self._tell_all(said)

    def _person_decides(self, seat: int) -> None:
        self._hand_over(seat)
        self.show(seat)
        played = len(self.game.moves)
        while len(self.game.moves) == played:
            answer = self.screen.ask(self._prompt(seat), self._completions())
            try:
                play_commands.answer(self, seat, answer)
            except UserError as error:
                self.screen.line(error.tell(self.words), "warning")
        if len(self.game.moves) > played:
            for index in range(played, len(self.game.moves)):
                self._tell_move(index)
            if self.saves_itself:
                self.save(self.save_path)

    def _prompt(self, seat: int) -> str:
        return self.screen.prompt(f"{self.players[seat].name} > ", "key")

    def _completions(self) -> list[str]:
        """All actions and commands that can be typed now."""
        catalogue = self.game.definition.catalogue(self.language)
        actions = [localize(catalogue, action.text) for action in self.game.legal]
        named = [self.words.say(f"command.{name}").split()[:1] for name in play_commands.COMMANDS]
        return [*actions, *(word for words in named for word in words)]

    # ---- what is shown --------------------------------------------------------------------------

    def show(self, seat: int) -> None:
        """Show the news, the position as a seat sees it, the question and the choices.

        On a terminal, shortens the news and the choices so that the board stays visible.
        """
        definition = self.game.definition
        view = definition.seen(self.game.state, seat)
        question = tell(self.game, definition.question(view), self.words, self.players)
        asked = self.words.say("play.asked", name=self.players[seat].name, question=question)
        board = [
            *coloured(self.game, view, definition.picture(view, self.language), self.screen),
            "",
            seats_line(self.players, self.language, self.screen),
            "",
        ]
        self.screen.clear()
        if not self.screen.is_terminal:
            self.news.clear()
            self.screen.lines(board)
            self.screen.line(asked, "strong")
            self.show_choices()
            return
        hint = self.words.say("play.hint")
        fixed = sum(map(self.screen.height, [*board, asked, hint])) + 1  # and the prompt
        choices = self._choices(self.screen.rows - fixed)
        room = self.screen.rows - fixed - sum(map(self.screen.height, choices)) - 1
        self.screen.lines(self._latest_news(max(room, LEAST_NEWS)), "faint")
        self.screen.line()
        self.news.clear()
        self.screen.lines(board)
        self.screen.line(asked, "strong")
        self.screen.lines(choices)
        self.screen.line(hint, "faint")

    def _latest_news(self, room: int) -> list[str]:
        """The latest lines that fit; the log has all of them."""
        shown: list[str] = []
        for sentence in reversed(self.news):
            room -= self.screen.height(sentence)
            if room < (1 if len(shown) + 1 < len(self.news) else 0):
                return ["…", *shown] if room >= 0 or shown else shown
            shown.insert(0, sentence)
        return shown

    def show_choices(self) -> None:
        """Show all choices with their descriptions."""
        self.screen.lines(self._choices())
        self.screen.line(self.words.say("play.hint"), "faint")

    def _choices(self, room: int | None = None) -> list[str]:
        """Choices one a line, or side by side if there is too little room."""
        labels = action_labels(self.game, self.words)
        catalogue = self.game.definition.catalogue(self.language)
        written = [localize(catalogue, action.text) for action, _ in labels]
        lines = one_a_line(written, [label for _, label in labels], self.screen.styled)
        if room is None or sum(map(self.screen.height, lines)) < room:
            return lines
        return grouped(written, self.screen.columns, self.screen.styled)

    def _tell_move(self, index: int = -1) -> None:
        """Report the events of a move; secret ones only to the seats that may see them."""
        private = []
        for event in self.game.events(index):
            if event.seen_by is None:
                self._tell_all(tell(self.game, event, self.words, self.players))
            elif event.seen_by & set(self.people):
                private.append(event)
        for event in private:
            self._tell_one(event)

    def _tell_all(self, sentence: str) -> None:
        # A terminal is cleared before the next decision and shows the news then.
        if self.screen.is_terminal and self.people:
            self.news.append(sentence)
        else:
            self.screen.line(sentence)

    def _tell_one(self, event: Event) -> None:
        """With several people at one screen, the others look away first."""
        assert event.seen_by is not None
        sentence = tell(self.game, event, self.words, self.players)
        if len(self.people) == 1:
            self._tell_all(sentence)
            return
        for seat in sorted(event.seen_by & set(self.people)):
            self.screen.clear()
            self.screen.lines(self.news, "faint")
            self.screen.ask(self.words.say("play.look_away", name=self.players[seat].name))
            self.screen.line(sentence, "strong")
            self.screen.ask(self.words.say("play.looked"))
            self.screen.clear(forget=True)

    def _hand_over(self, seat: int) -> None:
        """Pause before a screen that the others must not see."""
        definition, state = self.game.definition, self.game.state
        secret = definition.seen(state, seat) != definition.seen(state, SPECTATOR)
        if secret and len(self.people) > 1 and self.last_person not in (None, seat):
            self.screen.clear(forget=True)
            self.screen.ask(self.words.say("play.hand_over", name=self.players[seat].name))
        self.last_person = seat

    def _show_end(self) -> None:
        self.screen.clear()
        self.screen.lines(self.news)
        self.screen.line()
        self.screen.line(self.game.definition.picture(self.game.state, self.language))
        self.screen.line()
        self.screen.lines(final_table(self.game, self.words, self.players))

    def _tell_reasons(self) -> None:
        """Why bots moved as they did, for whoever asks."""
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
        """Save the game; without a path where it came from or was last saved."""
        target = path or self.save_path
        if target is None:
            raise UserError("play.save_where")
        record = Record(self.game, tuple(names_of(self.players)))
        replace = self.force or target.absolute() in self.may_replace
        save_record(record, target, may_replace=replace)
        self.may_replace.add(target.absolute())
        self.save_path = target
        self.moves_saved = len(self.game.moves)
        return target

    def leave(self) -> None:
        """Offer to save what is not saved, then go."""
        if len(self.game.moves) != self.moves_saved:
            self._offer_to_save()
        raise Leave

    def _offer_to_save(self) -> None:
        while True:
            try:
                answer = self.screen.ask(self._save_question())
            except InputEnded:
                return
            no_words = self.words.say("answer.no").split()
            if answer.lower() in no_words or (not answer and self.save_path is None):
                return
            named = answer and answer.lower() not in self.words.say("answer.yes").split()
            try:
                saved = self.save(Path(answer) if named else None)
            except UserError as error:
                self.screen.line(error.tell(self.words), "warning")
            else:
                self.screen.line(self.words.say("play.saved", file=saved))
                return

    def _save_question(self) -> str:
        if self.save_path is None:
            return self.words.say("play.offer_save")
        return self.words.say("play.offer_save_again", file=self.save_path)
