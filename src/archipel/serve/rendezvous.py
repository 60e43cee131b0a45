"""Rendezvous: forwards sealed offers and answers between browsers that want to connect directly.

A room has one host and its guests. Its name is the hash of a secret that only the host has, so
nobody else can answer as the host. Messages are sealed with a key that is in the guests' link and
that the server never sees. Nothing is stored: a message goes to a socket that is open now, or
nowhere.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.websockets import WebSocket, WebSocketDisconnect

from archipel.serve.api.http_errors import DECODING_ERRORS
from archipel.serve.rate_limits import Bucket, FrameBudget, RatePerAddress
from archipel.serve.settings import Settings
from archipel.serve.transport.protocols import WIRE

_ROOM = re.compile(r"[A-Za-z0-9_-]{22}")
_NAME_BYTES = 16

#: Close codes, as those of the tables where the meaning is the same.
_MALFORMED, _NOT_HOST, _LATE, _FULL, _TOO_FAST = 4400, 4401, 4408, 4409, 4429


Message = TypeVar("Message")


class EnterAsHost(Struct, frozen=True, tag="host", forbid_unknown_fields=True):
    secret: Annotated[str, Meta(min_length=22, max_length=22)]


class EnterAsGuest(Struct, frozen=True, tag="guest", forbid_unknown_fields=True):
    pass


class Sealed(Struct, frozen=True, tag="sealed", omit_defaults=True, forbid_unknown_fields=True):
    """A message that only the other side can read; ``guest`` is its number in messages of the host
    and to the host."""

    sealed: Annotated[str, Meta(max_length=2_000, pattern="^[A-Za-z0-9_-]+$")]
    guest: int | None = None


_HOST_HERE = b'{"type":"host_here"}'
_ENTER = msgspec.json.Decoder(EnterAsHost | EnterAsGuest)
_SEALED = msgspec.json.Decoder(Sealed)


class _Closing(Exception):
    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def name_of(secret: str) -> str:
    """The name of the room of a host's secret."""
    try:
        content = base64.urlsafe_b64decode(f"{secret}==")
    except ValueError:
        return ""
    digest = hashlib.sha256(content).digest()[:_NAME_BYTES]
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


class _Room:
    def __init__(self) -> None:
        self.host: WebSocket | None = None
        self.guests: dict[int, WebSocket] = {}
        self.count = 0

    @property
    def empty(self) -> bool:
        return self.host is None and not self.guests


class Rendezvous:
    """The open rooms of a server."""

    def __init__(self, settings: Settings, frames: RatePerAddress) -> None:
        self._settings = settings
        self._frames = frames
        self._rooms: dict[str, _Room] = {}

    def __len__(self) -> int:
        return len(self._rooms)

    async def serve(self, socket: WebSocket, address: str) -> None:
        """Serve an accepted socket until it closes."""
        code = _MALFORMED
        budget = FrameBudget(self._settings.frames, self._frames, address)
        wire = socket.scope["extensions"][WIRE]
        wire.begin(budget, wire.abort)
        name = str(socket.path_params["room"])
        try:
            if _ROOM.fullmatch(name):
                await self._enter(name, socket)
        except _Closing as closing:
            code = closing.code
        except TimeoutError:
            code = _LATE
        except WebSocketDisconnect:
            return
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(code)

    async def _enter(self, name: str, socket: WebSocket) -> None:
        async with asyncio.timeout(self._settings.hello_seconds):
            entering = _decode(_ENTER, await socket.receive())
        is_host = isinstance(entering, EnterAsHost)
        if isinstance(entering, EnterAsHost) and name_of(entering.secret) != name:
            raise _Closing(_NOT_HOST)
        room = self._rooms.get(name)
        if room is None:
            if len(self._rooms) >= self._settings.most_rooms:
                raise _Closing(_FULL)
            room = self._rooms[name] = _Room()
        try:
            seconds = self._settings.host_seconds if is_host else self._settings.guest_seconds
            async with asyncio.timeout(seconds):
                await (self._host(room, socket) if is_host else self._guest(room, socket))
        finally:
            if room.empty and self._rooms.get(name) is room:
                del self._rooms[name]

    async def _host(self, room: _Room, socket: WebSocket) -> None:
        previous, room.host = room.host, socket  # a host whose page was reloaded comes back
        try:
            if previous is not None:
                with suppress(WebSocketDisconnect, RuntimeError):
                    await previous.close(_FULL)
            for guest in list(room.guests.values()):
                await self._send(guest, _HOST_HERE)
            async for message in self._messages(socket):
                if message.guest in room.guests:
                    answer = msgspec.json.encode(Sealed(message.sealed))
                    await self._send(room.guests[message.guest], answer)
        finally:
            if room.host is socket:
                room.host = None

    async def _guest(self, room: _Room, socket: WebSocket) -> None:
        if len(room.guests) >= self._settings.most_guests:
            raise _Closing(_FULL)
        room.count += 1
        number = room.count
        room.guests[number] = socket
        try:
            if room.host is not None:
                await self._send(socket, _HOST_HERE)
            async for message in self._messages(socket):
                if room.host is not None:
                    offer = msgspec.json.encode(Sealed(message.sealed, number))
                    await self._send(room.host, offer)
        finally:
            del room.guests[number]

    async def _messages(self, socket: WebSocket) -> AsyncIterator[Sealed]:
        bucket = Bucket(self._settings.signals)
        while True:
            message = _decode(_SEALED, await socket.receive())
            if not bucket.take():
                raise _Closing(_TOO_FAST)
            yield message

    async def _send(self, socket: WebSocket, content: bytes) -> None:
        """Send without waiting long for a slow reader, who misses the message."""
        with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(self._settings.close_seconds):
                await socket.send_text(content.decode())


def _decode(decoder: msgspec.json.Decoder[Message], message: Mapping[str, Any]) -> Message:
    """Decode what the socket received."""
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    try:
        return decoder.decode(message.get("text") or "")
    except DECODING_ERRORS:
        raise _Closing(_MALFORMED) from None
