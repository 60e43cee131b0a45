"""Web Push: encrypted messages (RFC 8291) to a push service (RFC 8030), signed (RFC 8292).

The message is declarative: systems that know the form show it without our script, and the service
worker of the client shows the same form elsewhere.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
)

from archipel.profiles.proofs import from_base64url, to_base64url

_CURVE = ec.SECP256R1()
_RECORD_SIZE = 4096
_TOKEN_SECONDS = 12 * 3600


def new_server_key() -> bytes:
    """A private key for all push messages of a server."""
    key = ec.generate_private_key(_CURVE)
    return key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())


def public_key(server_key: bytes) -> str:
    """The public key that browsers subscribe with, in base64url."""
    return to_base64url(_point(_load(server_key)))


def encrypt(message: bytes, point: bytes, auth: bytes) -> bytes:
    """A message for a subscription with this public key and secret, as one aes128gcm record."""
    sender = ec.generate_private_key(_CURVE)
    receiver = ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, point)
    shared, own, salt = sender.exchange(ec.ECDH(), receiver), _point(sender), os.urandom(16)
    secret = _derive(shared, auth, b"WebPush: info\0" + point + own, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + _RECORD_SIZE.to_bytes(4) + len(own).to_bytes(1) + own
    return header + AESGCM(key).encrypt(nonce, message + b"\2", None)


def headers(
    server_key: bytes, endpoint: str, contact: str, now: float, topic: str
) -> dict[str, str]:
    """The headers of a push message; a later one with the same topic replaces it."""
    key = _load(server_key)
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + _TOKEN_SECONDS}
    if contact:
        claims["sub"] = contact
    text = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(SHA256())))
    token = f"{text}.{to_base64url(r.to_bytes(32) + s.to_bytes(32))}"
    return {
        "Authorization": f"vapid t={token}, k={to_base64url(_point(key))}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(24 * 3600),
        "Urgency": "normal",
        "Topic": topic,
    }


def declarative(title: str, body: str, link: str, tag: str, language: str) -> bytes:
    """The message in the declarative form, which is also that of our service worker."""
    notification = {
        "title": title,
        "body": body,
        "navigate": link,
        "tag": tag,
        "lang": language,
        "silent": False,
    }
    return json.dumps({"web_push": 8030, "notification": notification}).encode()


def check_subscription(point: str, auth: str) -> None:
    """Raises `ValueError` if these cannot be the keys of a subscription."""
    ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, from_base64url(point))
    if len(from_base64url(auth)) != 16:
        raise ValueError("the secret has 16 bytes")


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def _load(server_key: bytes) -> ec.EllipticCurvePrivateKey:
    key = load_der_private_key(server_key, None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return key


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _json(value: Mapping[str, object]) -> str:
    return to_base64url(json.dumps(value, separators=(",", ":")).encode())
