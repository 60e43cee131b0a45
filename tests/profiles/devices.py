"""A device of the tests: a key pair, and the proofs that it gives."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from archipel.profiles.messages import Proof, Session
from archipel.profiles.profiles import Profiles
from archipel.profiles.proofs import to_base64url


class TestDevice:
    __test__ = False

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())

    @property
    def public(self) -> bytes:
        return self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def proof(self, challenge: str) -> Proof:
        signed = self._key.sign(f"archipel-profile\n{challenge}".encode(), ec.ECDSA(SHA256()))
        r, s = decode_dss_signature(signed)
        signature = r.to_bytes(32) + s.to_bytes(32)
        return Proof(challenge, to_base64url(self.public), to_base64url(signature))

    async def answer(self, profiles: Profiles) -> Proof:
        return self.proof(await profiles.challenge())

    async def create(self, profiles: Profiles, name: str = "Ana") -> Session:
        return await profiles.create(await self.answer(profiles), name, "sky", "en", "Laptop")
