"""Passkeys (WebAuthn): a profile on a device that has never been signed in.

The library is imported where it is used: most servers never need it.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from archipel.profiles.profiles import ProfileRefused, Profiles, Signed
from archipel.profiles.proofs import from_base64url


@dataclass(frozen=True, slots=True)
class Site:
    """The site that passkeys belong to: the host name, and the origin of its pages."""

    host: str
    origin: str

    @property
    def can_have_passkeys(self) -> bool:
        """Browsers offer passkeys for names, not for addresses."""
        try:
            ipaddress.ip_address(self.host.strip("[]"))
        except ValueError:
            return bool(self.host)
        return False


async def registration_options(profiles: Profiles, signed: Signed, site: Site) -> str:
    """What the browser needs to make a passkey, as JSON."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    profile = await profiles.profile(signed.profile)
    challenge = await profiles.challenge()
    options = generate_registration_options(
        rp_id=site.host,
        rp_name="Archipel",
        user_id=profile.id.encode(),
        user_name=profile.name,
        user_display_name=profile.name,
        challenge=from_base64url(challenge),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
    )
    return options_to_json(options)


async def register(
    profiles: Profiles, signed: Signed, site: Site, answer: str, challenge: str, label: str
) -> None:
    """Add the passkey that the browser made; raises `ProfileRefused`."""
    from webauthn import verify_registration_response
    from webauthn.helpers.exceptions import WebAuthnException

    await profiles.use_challenge(challenge)
    try:
        made = verify_registration_response(
            credential=answer,
            expected_challenge=from_base64url(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
        )
    except (WebAuthnException, ValueError) as error:
        raise ProfileRefused("bad_passkey") from error
    await profiles.add_passkey(
        signed.profile, made.credential_id, made.credential_public_key, label
    )


def sign_in_options(site: Site, challenge: str) -> str:
    """What the browser needs to sign a challenge with a passkey, as JSON."""
    from webauthn import generate_authentication_options, options_to_json

    return options_to_json(
        generate_authentication_options(rp_id=site.host, challenge=from_base64url(challenge))
    )


async def profile_of(profiles: Profiles, site: Site, answer: str, challenge: str) -> str:
    """The profile of the passkey that signed a challenge; raises `ProfileRefused`."""
    from webauthn import verify_authentication_response
    from webauthn.helpers import parse_authentication_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        credential = parse_authentication_credential_json(answer)
        known = await profiles.passkey(credential.raw_id)
        if known is None:
            raise ProfileRefused("bad_passkey")
        profile, public, signed = known
        checked = verify_authentication_response(
            credential=credential,
            expected_challenge=from_base64url(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=public,
            credential_current_sign_count=signed,
        )
    except (WebAuthnException, ValueError) as error:
        raise ProfileRefused("bad_passkey") from error
    await profiles.used_passkey(credential.raw_id, checked.new_sign_count)
    return profile
