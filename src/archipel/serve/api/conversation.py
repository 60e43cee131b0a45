"""The conversation at one table: a hello, then requests and answers.

Knows no channel and no limits: `Connection` holds it over a WebSocket, `archipel.tab` with a page
in the same browser.
"""

from __future__ import annotations

import asyncio
import time
from typing import Protocol

from archipel.serve.api import messages
from archipel.serve.api.http_errors import other_protocol
from archipel.tables import Participant, Problem, Subscription, TableRefused, TableService
from archipel.tables.commands import Command


class Peer(Protocol):
    """Whom the messages are sent to."""

    def send(self, message: messages.ToBrowser) -> None:
        """Send a message; must not raise."""

    def refuse(self, request_id: str | None, problem: Problem) -> None:
        """Send a refusal."""

    def unknown(self, request_id: str, problem: Problem) -> None:
        """Send that the outcome of a request is not known."""

    def unexpected(self, what: str, error: BaseException) -> None:
        """Log an error of the server."""


class People(Protocol):
    """The profiles of a server."""

    async def holder_at(self, table_id: str, session: str) -> str | None:
        """The holder of the seats that the profile of a session has at a table."""

    async def follow(self, table_id: str, new_table: str) -> None:
        """The people of a table go on at a new one, with the same secrets."""


class HelloRefused(Exception):
    """The hello was refused and the peer was told; ``code`` is that of the problem."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Conversation:
    """Answers the messages of one peer, in turn; only reasons take their time beside the others."""

    def __init__(
        self, service: TableService, table_id: str, peer: Peer, people: People | None = None
    ) -> None:
        self._service = service
        self._people = people
        self._table_id = table_id
        self._peer = peer
        self._reason: asyncio.Task[None] | None = None

    async def greet(self, hello: messages.Hello) -> tuple[Participant, Subscription]:
        """Identify the participant and send the welcome; raises `HelloRefused`."""
        if hello.protocol != messages.PROTOCOL:
            self._peer.refuse(None, other_protocol(hello.protocol, hello.language))
            raise HelloRefused("other_protocol")
        try:
            who = await self._identify(hello)
            subscription = await self._service.subscribe(
                who, hello.after, at=hello.at, hurried=hello.hurried
            )
        except TableRefused as refused:
            self._peer.refuse(None, refused.problem)
            raise HelloRefused(refused.problem.code) from None
        self._peer.send(subscription.welcome)
        return who, subscription

    async def _identify(self, hello: messages.Hello) -> Participant:
        """The participant of a token, or of a profile that has claimed a seat here."""
        service, table_id, language = self._service, self._table_id, hello.language
        session, people = hello.session, self._people
        try:
            if hello.token is not None or session is None or people is None:
                return await service.identify(table_id, hello.token, language)
        except TableRefused as refused:
            if refused.problem.code != "not_seated" or session is None or people is None:
                raise
        holder = await people.holder_at(table_id, session)
        if holder is None:
            return await service.identify(table_id, hello.token, language)
        return await service.identify_holder(table_id, holder, language)

    async def answer(
        self, message: messages.FromBrowser, who: Participant, subscription: Subscription
    ) -> None:
        try:
            if isinstance(message, Command):
                accepted = await self._service.command(who, message, patient=True)
                if accepted.table is not None and self._people is not None:
                    await self._people.follow(self._table_id, accepted.table)
                self._peer.send(messages.Done(message.id, accepted.n, accepted.table))
            else:
                await self._answer_query(message, who, subscription)
        except TableRefused as refused:
            self._fail(message, refused.problem, is_unknown=refused.problem.code == "unknown")
        except Exception as error:
            self._peer.unexpected("a request failed", error)
            problem = Problem("internal", "the server made an error")
            self._fail(message, problem, is_unknown=isinstance(message, Command))

    def _fail(self, message: messages.FromBrowser, problem: Problem, is_unknown: bool) -> None:
        """Answer that a request changed nothing, or that its outcome is not known."""
        request_id = getattr(message, "id", None)
        if is_unknown and request_id is not None:
            self._peer.unknown(request_id, problem)
        else:
            self._peer.refuse(request_id, problem)

    def end(self) -> None:
        """Stop what is still being answered."""
        if self._reason is not None:
            self._reason.cancel()

    async def _answer_query(
        self, message: messages.Query, who: Participant, subscription: Subscription
    ) -> None:
        peer, service = self._peer, self._service
        match message:
            case messages.Ping():
                peer.send(messages.Pong(time.time()))
            case messages.Hello():
                peer.refuse(None, Problem("malformed", "hello was said already"))
            case messages.LookAt(n=n, seat=seat, revealed=revealed):
                position = await service.position(who, n=n, seat=seat, revealed=revealed)
                peer.send(messages.Looked(message.id, position))
            case messages.ReadLog():
                page = await service.log_page(who, message.before, seat=message.seat)
                peer.send(messages.LogPage(message.id, page.log, page.log_from))
            case messages.LookThrough():
                position = await service.position(who, seat=message.seat)
                subscription.look_through(message.seat)
                peer.send(messages.Looked(message.id, position))
            case messages.AskView(n=n, seat=seat, purpose=purpose):
                seen = await service.seen(who, n, seat=seat, hint=purpose == "hint")
                peer.send(messages.ViewSeen(message.id, seen))
            case messages.AskLines(n=n, seat=seat, lines=lines):
                told = await service.lines(who, n, lines, seat=seat)
                peer.send(messages.LinesTold(message.id, told))
            case messages.AskPlan(seat=seat):
                peer.send(messages.PlanTold(message.id, await service.plan(who, seat=seat)))
            case messages.AskWhy():
                if self._reason is not None and not self._reason.done():
                    problem = Problem("busy", "what you asked for before is not ready yet")
                    peer.refuse(message.id, problem)
                else:  # takes a while, so other requests are answered meanwhile
                    self._reason = asyncio.create_task(self._find_reason(message, who))

    async def _find_reason(self, message: messages.AskWhy, who: Participant) -> None:
        try:
            why = await self._service.why(who, message.n, seat=message.seat)
            self._peer.send(messages.Reason(message.id, why))
        except TableRefused as refused:
            self._peer.refuse(message.id, refused.problem)
        except Exception as error:
            self._peer.unexpected("the reason of a move could not be found", error)
            self._peer.refuse(message.id, Problem("internal", "the server made an error"))
