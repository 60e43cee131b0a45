"""Signatures of devices: ECDSA on P-256 with SHA-256, which every current browser has."""

from __future__ import annotations

import base64
import binascii
import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

_PREFIX = b"archipel-profile\n"
_CURVE = ec.SECP256R1()


def from_base64url(text: str) -> bytes:
    """Decode base64url without padding; raises `ValueError`."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def to_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def key_id(public: bytes) -> str:
    """The id of a device: the hash of its public key."""
    return hashlib.sha256(public).hexdigest()


def is_signed(public: bytes, signature: bytes, challenge: str) -> bool:
    """Whether the key with this uncompressed point signed the challenge; False if malformed."""
    try:
        key = ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, public)
    except ValueError:
        return False
    if len(signature) != 64:
        return False
    r, s = int.from_bytes(signature[:32]), int.from_bytes(signature[32:])
    try:
        key.verify(encode_dss_signature(r, s), _PREFIX + challenge.encode(), ec.ECDSA(SHA256()))
    except InvalidSignature:
        return False
    return True
