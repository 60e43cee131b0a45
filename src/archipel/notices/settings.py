"""What the host allows; without a file of settings no notice is sent to anybody."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

ChannelKind = Literal["push", "webhook", "mail"]


class MailSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The SMTP server, and who mails are from."""

    server: str
    sender: str
    port: int = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: str = ""
    password: str = ""


class PeopleSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The file that ``archipel serve --people`` reads (TOML)."""

    push: bool = False
    #: For the operators of push services: a mailto: or https: address.
    contact: str = ""
    webhooks: bool = False
    #: Whether push and webhooks may reach private networks and plain HTTP.
    private_targets: bool = False
    mail: MailSettings | None = None
    #: Parts of names that players, profiles and clubs may not have.
    refused_names: tuple[str, ...] = ()
    #: The password of the operator's page; empty: there is no such page.
    operator: str = ""
    #: Days without a session after which a profile is deleted.
    idle_days: int = 400

    @property
    def kinds(self) -> tuple[ChannelKind, ...]:
        """The kinds of channels that people may use."""
        allowed: dict[ChannelKind, bool] = {
            "push": self.push,
            "webhook": self.webhooks,
            "mail": self.mail is not None,
        }
        return tuple(kind for kind, is_allowed in allowed.items() if is_allowed)


def read_settings(file: Path) -> PeopleSettings:
    """Read a file of settings; raises `ValueError` or `OSError`."""
    try:
        settings = msgspec.toml.decode(file.read_bytes(), type=PeopleSettings)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None
    if settings.operator and len(settings.operator) < 16:
        raise ValueError("operator: the password needs at least 16 characters")
    return settings
