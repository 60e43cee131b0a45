"""Sends what is due, by any of the workers on a database."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.message import EmailMessage

from archipel.notices import mail, push, webhook
from archipel.notices.channels import Channel, Channels
from archipel.notices.message import Message, compose
from archipel.notices.outbox import Batch, Outbox
from archipel.notices.targets import Answer, BadTarget, post
from archipel.notices.times import earliest
from archipel.profiles.profiles import DAY, Profiles
from archipel.profiles.proofs import from_base64url
from archipel.store.errors import StoreError

log = logging.getLogger("archipel.notices")

_FIRST_RETRY, _LAST_RETRY = 20_000, 3_600_000
_THREADS = 16


class Gone(Exception):
    """Nothing will ever reach this address again."""


class Courier:
    """Looks into the outbox regularly; `counts` has the results by kind of channel."""

    def __init__(self, profiles: Profiles, channels: Channels, *, interval: float = 2.0) -> None:
        """``interval``: seconds between two looks while nothing is due."""
        self.counts: Counter[tuple[str, str]] = Counter()
        self.outbox = Outbox(profiles.store)
        self._profiles = profiles
        self._channels = channels
        self._settings = channels.settings
        self._interval = interval
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="archipel-notices")
        self._task: asyncio.Task[None] | None = None
        self._tidied_at = 0

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Stop; what is being sent is sent again by another worker, or after the next start."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self) -> None:
        while True:
            busy = 0
            try:
                await self._tidy()
                if self._settings.kinds:
                    busy = await self.step()
            except StoreError as error:
                log.warning("no notices are sent: %s", error)
            except Exception:
                log.exception("sending notices failed")
            if not busy:
                await asyncio.sleep(self._interval * random.uniform(0.75, 1.25))

    async def _tidy(self) -> None:
        """Once an hour, delete profiles that nobody has used for long."""
        now = self._profiles.clock()
        if now - self._tidied_at >= DAY // 24:
            self._tidied_at = now
            await self._profiles.delete_unused(self._settings.idle_days * DAY)

    async def step(self) -> int:
        """Send everything that is due now; returns the number of batches and notices."""
        now = self._profiles.clock()
        addressed = await self.outbox.address(now)
        batches = await self.outbox.take(now)
        await asyncio.gather(*(self._send(batch) for batch in batches))
        return addressed + len(batches)

    async def _send(self, batch: Batch) -> None:
        now, kind = self._profiles.clock(), batch.channel.kind
        allowed = min(earliest(now, batch.habits, part.kind) for part in batch.parts)
        # The time of a digest has come, or none of the parts would be due.
        if batch.habits.digest is None and allowed > now:
            await self.outbox.postpone(batch, allowed)
            return
        origin = batch.channel.details.origin
        message = compose(batch.parts, origin, batch.language)
        try:
            await self.deliver(batch.channel, message)
        except (Gone, BadTarget) as gone:
            self.counts[kind, "gone"] += 1
            log.info("a channel is gone", extra={"facts": {"kind": kind, "why": str(gone)[:80]}})
            await self.outbox.forget(batch.channel.id)
        except OSError as error:
            self.counts[kind, "failed"] += 1
            facts = {"kind": kind, "why": type(error).__name__, "attempt": batch.attempts}
            log.info("a notice was not delivered", extra={"facts": facts})
            await self.outbox.failed(batch, now + _backoff(batch.attempts))
        else:
            self.counts[kind, "sent"] += 1
            await self.outbox.sent(batch)

    async def deliver(self, channel: Channel, message: Message) -> None:
        """Send one message; raises `OSError` to try again, `Gone` or `BadTarget` if it is in
        vain."""
        loop = asyncio.get_running_loop()
        if channel.kind == "mail":
            settings = self._settings.mail
            if settings is None:
                raise OSError("the host sends no mail")
            letter = mail.notice_mail(settings, channel, message)
            await loop.run_in_executor(self._threads, self._mail, letter)
        else:
            body, headers = await self._request(channel, message)
            answer = await loop.run_in_executor(
                self._threads, self._post, channel.address, body, headers
            )
            _check(channel.kind, answer)

    async def confirm(self, channel: Channel, language: str) -> None:
        """Send the mail that asks to confirm an address; raises `OSError`."""
        assert self._settings.mail is not None
        letter = mail.confirmation_mail(self._settings.mail, channel, language)
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._threads, self._mail, letter)

    def _mail(self, letter: EmailMessage) -> None:
        assert self._settings.mail is not None
        try:
            mail.send(self._settings.mail, letter)
        except OSError as error:
            if mail.is_permanent(error):
                raise Gone(str(error)) from error
            raise

    async def _request(self, channel: Channel, message: Message) -> tuple[bytes, dict[str, str]]:
        if channel.kind == "webhook":
            return webhook.request_of(channel.details.form, message)
        details, now = channel.details, self._profiles.clock() / 1000
        tag = message.parts[0].table if len(message.parts) == 1 else "turns"
        plain = push.declarative(message.title, message.body, message.link, tag, message.language)
        point, auth = from_base64url(details.point), from_base64url(details.auth)
        key = await self._channels.server_key()
        headers = push.headers(key, channel.address, self._settings.contact, now, message.id)
        return push.encrypt(plain, point, auth), headers

    def _post(self, address: str, body: bytes, headers: dict[str, str]) -> Answer:
        return post(address, body, headers, allow_private=self._settings.private_targets)


def _check(kind: str, answer: Answer) -> None:
    # A push service knows for certain; a webhook may be missing for a while.
    if answer.status == 410 or (answer.status == 404 and kind == "push"):
        raise Gone(f"status {answer.status}")
    if not 200 <= answer.status < 300:
        raise OSError(f"status {answer.status}")


def _backoff(attempts: int) -> int:
    """Milliseconds until the next attempt: growing, with jitter."""
    wait = min(_LAST_RETRY, _FIRST_RETRY * 2 ** min(attempts - 1, 12))
    return int(wait * random.uniform(0.75, 1.25))
