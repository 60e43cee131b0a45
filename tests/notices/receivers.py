"""Real receivers: an HTTP server for webhooks and push messages, and an SMTP server."""

from __future__ import annotations

import email
import email.policy
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from archipel.profiles.proofs import from_base64url, to_base64url

_CURVE = ec.SECP256R1()


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers.get("archipel-notice") or self.headers["topic"]


@dataclass
class HttpReceiver:
    """What arrived; ``status_of`` decides the answer to a request, by default 201."""

    address: str
    received: list[Received] = field(default_factory=list)
    status_of: Callable[[Received], int] = lambda received: 201


@contextmanager
def http_receiver() -> Iterator[HttpReceiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            headers = {name.lower(): value for name, value in self.headers.items()}
            received = Received(self.path, headers, self.rfile.read(length))
            status = receiver.status_of(received)
            if 200 <= status < 300:
                receiver.received.append(received)
            self.send_response(status)
            if status == 302:
                self.send_header("Location", f"{receiver.address}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = HttpReceiver(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class PushSubscription:
    """A browser's subscription: its keys, and the decryption of RFC 8291."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(_CURVE)
        self._auth = b"0123456789abcdef"

    @property
    def point(self) -> str:
        return to_base64url(_point(self._key.public_key()))

    @property
    def auth(self) -> str:
        return to_base64url(self._auth)

    def decrypt(self, body: bytes) -> Any:
        """The message as JSON; raises if anything is wrong with the encryption."""
        salt, record_size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        assert length == 65
        assert record_size >= len(body) - 86
        sender, encrypted = body[21:86], body[86:]
        public = ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, sender)
        shared = self._key.exchange(ec.ECDH(), public)
        info = b"WebPush: info\0" + _point(self._key.public_key()) + sender
        secret = HKDF(SHA256(), 32, self._auth, info).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        plain = AESGCM(key).decrypt(nonce, encrypted, None).rstrip(b"\0")
        assert plain[-1:] == b"\2", "this is not the last record"
        return json.loads(plain[:-1])


def claims_of(authorization: str, server_key: str) -> Any:
    """The claims of a push message's signature (RFC 8292); raises if it is not the server's."""
    scheme, _, parameters = authorization.partition(" ")
    assert scheme == "vapid"
    given = dict(part.strip().split("=", 1) for part in parameters.split(","))
    assert given["k"] == server_key
    text, _, signature = given["t"].rpartition(".")
    raw = from_base64url(signature)
    key = ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, from_base64url(server_key))
    signed = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key.verify(signed, text.encode(), ec.ECDSA(SHA256()))
    header, claims = (json.loads(from_base64url(part)) for part in text.split("."))
    assert header == {"typ": "JWT", "alg": "ES256"}
    return claims


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass
class MailReceiver:
    port: int
    mails: list[EmailMessage] = field(default_factory=list)
    #: The answers to the next recipients, such as "550 unknown".
    refusals: list[str] = field(default_factory=list)

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if self.refusals:
            return self.refusals.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        return "250 OK"


@contextmanager
def mail_receiver(kind: type[MailReceiver] = MailReceiver) -> Iterator[MailReceiver]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    receiver = kind(port)
    controller = Controller(receiver, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield receiver
    finally:
        controller.stop()
