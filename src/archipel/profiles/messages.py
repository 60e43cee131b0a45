"""Requests and answers about profiles, as they are encoded on the wire. Times in Unix seconds."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from archipel.tables.commands import Colour, Name, TableId, Token

ProfileLanguage = Literal["en", "fr"]
_Text = Annotated[str, Meta(min_length=16, max_length=128, pattern="^[A-Za-z0-9_-]+$")]
#: What a device is called in the list of devices.
Label = Annotated[str, Meta(max_length=60)]
#: A code that adds a device: from a link, or printed.
CodeText = Annotated[str, Meta(min_length=16, max_length=64, pattern="^[A-Za-z0-9_ -]+$")]
KeyId = Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]+$")]
#: The answer of the browser's passkeys, as it encodes it.
PasskeyAnswer = Annotated[str, Meta(max_length=8_000)]


class Challenge(Struct, frozen=True):
    """To be signed within two minutes, once."""

    challenge: str


class Proof(Struct, frozen=True):
    """Proof that a device holds a private key (ECDSA, P-256, SHA-256).

    ``public`` is the uncompressed point and ``signature`` is r and s, as Web Crypto encodes them,
    in base64url. The signed text is ``archipel-profile``, a line break and the challenge.
    """

    challenge: _Text
    public: _Text
    signature: _Text


class NewProfile(Struct, frozen=True):
    """A new profile with its first device, called ``label``."""

    proof: Proof
    name: Name
    colour: Colour
    language: ProfileLanguage
    label: Label = ""


class SignIn(Struct, frozen=True):
    proof: Proof


class AddDevice(Struct, frozen=True):
    """Add this device to the profile of a code."""

    proof: Proof
    code: CodeText
    label: Label = ""


class AddDeviceByPasskey(Struct, frozen=True):
    """Add this device to the profile of a passkey; ``answer`` signs the proof's challenge."""

    proof: Proof
    answer: PasskeyAnswer
    label: Label = ""


class Session(Struct, frozen=True):
    """``token`` goes into the header ``Archipel-Session``, and nowhere else."""

    token: str
    until: float
    profile: str
    device: str


class Profile(Struct, frozen=True):
    """What others may know of somebody."""

    id: str
    name: str
    colour: Colour
    language: ProfileLanguage


class Device(Struct, frozen=True):
    id: str
    kind: Literal["device", "passkey"]
    label: str
    created_at: float
    used_at: float
    #: The device that asks.
    this: bool


class OwnProfile(Struct, frozen=True):
    profile: Profile
    devices: list[Device]
    #: Whether a printed recovery code is valid.
    recovery: bool
    created_at: float


class ChangeProfile(Struct, frozen=True):
    name: Name
    colour: Colour
    language: ProfileLanguage


class Code(Struct, frozen=True):
    """A code that adds a device, once."""

    code: str
    until: float | None


class ClaimSeat(Struct, frozen=True):
    """Add the seats of a token to the profile."""

    table: TableId
    token: Token


class PasskeyOptions(Struct, frozen=True):
    """What the browser's passkeys take, as JSON text."""

    options: str


class NewPasskey(Struct, frozen=True):
    answer: PasskeyAnswer
    challenge: _Text
    label: Label = ""


class RevokeDevice(Struct, frozen=True):
    device: KeyId
