"""The profiles of a store: keys, sessions, codes, and whose seats are whose."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec

from archipel.profiles.messages import Device, OwnProfile, Profile, Proof, Session
from archipel.profiles.proofs import from_base64url, is_signed, key_id, to_base64url
from archipel.rules.catalogue import load_catalogue
from archipel.store.clock import Clock, unix_milliseconds
from archipel.store.sql_store import SqlStore, Statement
from archipel.tables.decisions.context import clean_name
from archipel.tables.problems import Problem

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
CHALLENGE_TIME = 2 * MINUTE
CODE_TIME = 10 * MINUTE
SESSION_TIME = HOUR
#: Of one profile.
MOST_KEYS, MOST_SEATS = 20, 500
#: Days of vacation in a year.
MOST_VACATION = 30
_NEVER = 2**62
#: Letters that cannot be mistaken for each other; 20 of them are 100 bits.
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


class ProfileRefused(Exception):
    """A refused request, which changed nothing. `say` is the sentence for the user."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def say(self, language: str) -> Problem:
        sentences = load_catalogue("archipel.profiles", language)
        return Problem(self.code, sentences.say(f"problem.{self.code}", **self.details))


class NotSignedIn(ProfileRefused):
    """No valid session: it ended, or its device was revoked."""

    def __init__(self) -> None:
        super().__init__("not_signed_in")


@dataclass(frozen=True, slots=True)
class Signed:
    """Whose session it is: a profile, on a device."""

    profile: str
    device: str


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Profiles:
    """All profiles of a store. Every method that refuses raises `ProfileRefused`; all raise
    `StoreError` if the store fails."""

    def __init__(
        self,
        store: SqlStore,
        clock: Clock = unix_milliseconds,
        randomness: Callable[[int], bytes] = secrets.token_bytes,
        refused_names: Iterable[str] = (),
    ) -> None:
        """``refused_names``: parts of names that the host does not allow."""
        self.store = store
        self.clock = clock
        self._randomness = randomness
        self._refused_names = tuple(part.casefold() for part in refused_names)
        self._at = store.schema

    # ---- proving who one is ---------------------------------------------------------------------

    async def challenge(self) -> str:
        """A text to sign; it is valid once."""
        text, now = to_base64url(self._randomness(24)), self.clock()
        await self._write(
            _sql(f"DELETE FROM {self._at}challenge WHERE until < ?1", now),
            _sql(
                f"INSERT INTO {self._at}challenge VALUES (?1, ?2)",
                _hash(text),
                now + CHALLENGE_TIME,
            ),
        )
        return text

    async def use_challenge(self, challenge: str) -> None:
        """Refuse a challenge that this server has not given, or that was answered before."""
        (used,) = await self._write(
            _sql(
                f"DELETE FROM {self._at}challenge WHERE hash = ?1 AND until > ?2 RETURNING hash",
                _hash(challenge),
                self.clock(),
            )
        )
        if not used:
            raise ProfileRefused("old_challenge")

    async def check(self, proof: Proof) -> bytes:
        """The public key that a proof is about."""
        await self.use_challenge(proof.challenge)
        try:
            public, signature = from_base64url(proof.public), from_base64url(proof.signature)
        except ValueError:
            raise ProfileRefused("bad_proof") from None
        if not is_signed(public, signature, proof.challenge):
            raise ProfileRefused("bad_proof")
        return public

    async def sign_in(self, proof: Proof) -> Session:
        """Begin a session with the key of a known device."""
        device = key_id(await self.check(proof))
        rows = await self.store.fetch(
            f"SELECT profile_id FROM {self._at}profile_key WHERE id = ?1 AND kind = 'device'",
            device,
        )
        if not rows:
            raise ProfileRefused("unknown_device")
        return await self._begin_session(Signed(rows[0][0], device))

    async def verify(self, token: str) -> Signed:
        """Whose session this is. Reads the store, so a revoked device is out at once."""
        rows = await self.store.fetch(
            f"SELECT k.profile_id, k.id FROM {self._at}profile_session s"
            f" JOIN {self._at}profile_key k ON k.id = s.key_id"
            " WHERE s.hash = ?1 AND s.until > ?2",
            _hash(token),
            self.clock(),
        )
        if not rows:
            raise NotSignedIn
        return Signed(*rows[0])

    async def sign_out(self, token: str) -> None:
        await self._write(
            _sql(f"DELETE FROM {self._at}profile_session WHERE hash = ?1", _hash(token))
        )

    async def _begin_session(self, signed: Signed) -> Session:
        token, now = to_base64url(self._randomness(32)), self.clock()
        today = now - now % DAY
        at = self._at
        await self._write(
            _sql(f"DELETE FROM {at}profile_session WHERE until < ?1", now),
            _sql(
                f"INSERT INTO {at}profile_session VALUES (?1, ?2, ?3)",
                _hash(token),
                signed.device,
                now + SESSION_TIME,
            ),
            _sql(f"UPDATE {at}profile_key SET used_at = ?2 WHERE id = ?1", signed.device, now),
            _sql(f"UPDATE {at}profile SET seen_at = ?2 WHERE id = ?1", signed.profile, today),
        )
        return Session(token, (now + SESSION_TIME) / 1000, signed.profile, signed.device)

    # ---- profiles -------------------------------------------------------------------------------

    async def create(
        self, proof: Proof, name: str, colour: str, language: str, label: str = ""
    ) -> Session:
        """Create a profile with its first device, and begin a session."""
        name = self.checked_name(name)
        public = await self.check(proof)
        device, profile, now = key_id(public), to_base64url(self._randomness(12)), self.clock()
        await self._check_new(device)
        at = self._at
        await self._write(
            _sql(
                f"INSERT INTO {at}profile"
                " (id, name, colour, language, created_at, seen_at, settings)"
                " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                profile,
                name,
                colour,
                language,
                now,
                now - now % DAY,
                b"{}",
            ),
            self._new_key(profile, "device", public, label),
        )
        return await self._begin_session(Signed(profile, device))

    async def profile(self, profile: str) -> Profile:
        found = await self.of_ids([profile])
        if profile not in found:
            raise ProfileRefused("no_profile")
        return found[profile]

    async def of_ids(self, profiles: Iterable[str]) -> dict[str, Profile]:
        """The profiles of these ids, by id; those that are gone are left out."""
        ids = list(dict.fromkeys(profiles))
        if not ids:
            return {}
        places = ", ".join(f"?{number}" for number in range(1, len(ids) + 1))
        rows = await self.store.fetch(
            f"SELECT id, name, colour, language FROM {self._at}profile WHERE id IN ({places})", *ids
        )
        return {row[0]: Profile(*row) for row in rows}

    async def own(self, signed: Signed) -> OwnProfile:
        """A profile as its owner sees it."""
        at, shown = self._at, await self.profile(signed.profile)
        keys = await self.store.fetch(
            f"SELECT id, kind, label, created_at, used_at FROM {at}profile_key"
            " WHERE profile_id = ?1 ORDER BY created_at, id",
            signed.profile,
        )
        codes = await self.store.fetch(
            f"SELECT 1 FROM {at}profile_code WHERE profile_id = ?1 AND kind = 'recovery'",
            signed.profile,
        )
        (made,) = await self.store.fetch(
            f"SELECT created_at FROM {at}profile WHERE id = ?1", signed.profile
        )
        devices = [
            Device(key, kind, label, created / 1000, used / 1000, key == signed.device)
            for key, kind, label, created, used in keys
        ]
        return OwnProfile(shown, devices, bool(codes), made[0] / 1000)

    async def change(self, profile: str, name: str, colour: str, language: str) -> None:
        name = self.checked_name(name)
        await self._write(
            _sql(
                f"UPDATE {self._at}profile SET name = ?2, colour = ?3, language = ?4 WHERE id = ?1",
                profile,
                name,
                colour,
                language,
            )
        )

    async def delete(self, profile: str) -> None:
        """Delete a profile with its keys, its sessions, its channels and its claims to seats. The
        seats stay with whoever has their links."""
        await self._write(_sql(f"DELETE FROM {self._at}profile WHERE id = ?1", profile))

    def checked_name(self, name: str) -> str:
        """The name as it is shown; refused if the host does not allow it."""
        name = clean_name(name)
        folded = name.casefold()
        if any(part in folded for part in self._refused_names):
            raise ProfileRefused("refused_name")
        return name

    # ---- devices --------------------------------------------------------------------------------

    async def new_code(self, profile: str, kind: str) -> tuple[str, int | None]:
        """A code that adds a device once: ``move`` for ten minutes, ``recovery`` until it is used.

        A new code replaces an older one of its kind. Returns it and when it ends.
        """
        until = self.clock() + CODE_TIME if kind == "move" else None
        code = to_base64url(self._randomness(18)) if kind == "move" else self._printable_code()
        at = self._at
        await self._write(
            _sql(
                f"DELETE FROM {at}profile_code WHERE profile_id = ?1 AND kind = ?2", profile, kind
            ),
            _sql(
                f"INSERT INTO {at}profile_code VALUES (?1, ?2, ?3, ?4)",
                _hash(_plain(code)),
                profile,
                kind,
                until or _NEVER,
            ),
        )
        return code, until

    def _printable_code(self) -> str:
        text = "".join(_LETTERS[byte % len(_LETTERS)] for byte in self._randomness(20))
        return "-".join(text[start : start + 5] for start in range(0, 20, 5))

    async def add_device(self, proof: Proof, code: str, label: str = "") -> Session:
        """Add a device by a code, which is used up by it, and begin a session."""
        public = await self.check(proof)
        await self._check_new(key_id(public))
        (used,) = await self._write(
            _sql(
                f"DELETE FROM {self._at}profile_code WHERE hash = ?1 AND until > ?2"
                " RETURNING profile_id",
                _hash(_plain(code)),
                self.clock(),
            )
        )
        if not used:
            raise ProfileRefused("bad_code")
        return await self.add_key(used[0][0], public, label)

    async def add_key(self, profile: str, public: bytes, label: str) -> Session:
        """Add a device whose right to it was proved, and begin a session."""
        await self._check_room(profile)
        await self._write(self._new_key(profile, "device", public, label))
        return await self._begin_session(Signed(profile, key_id(public)))

    async def add_passkey(self, profile: str, credential: bytes, public: bytes, label: str) -> None:
        """Add a passkey: its id is the hash of its credential id."""
        await self._check_room(profile)
        await self._write(self._new_key(profile, "passkey", public, label, key_id(credential)))

    async def passkey(self, credential: bytes) -> tuple[str, bytes, int] | None:
        """The profile of a passkey, its public key and its count of signatures."""
        rows = await self.store.fetch(
            f"SELECT profile_id, public, signed FROM {self._at}profile_key"
            " WHERE id = ?1 AND kind = 'passkey'",
            key_id(credential),
        )
        return (rows[0][0], bytes(rows[0][1]), rows[0][2]) if rows else None

    async def used_passkey(self, credential: bytes, signed: int) -> None:
        await self._write(
            _sql(
                f"UPDATE {self._at}profile_key SET signed = ?2, used_at = ?3 WHERE id = ?1",
                key_id(credential),
                signed,
                self.clock(),
            )
        )

    async def revoke(self, profile: str, device: str) -> list[tuple[str, str]]:
        """Remove a device and all codes, which its finder could have. Returns the seats of the
        profile, whose secrets the device may know. Idempotent."""
        at = self._at
        others = await self.store.fetch(
            f"SELECT 1 FROM {at}profile_key WHERE profile_id = ?1 AND id <> ?2", profile, device
        )
        if not others:
            raise ProfileRefused("last_device")
        await self._write(
            _sql(f"DELETE FROM {at}profile_key WHERE id = ?1 AND profile_id = ?2", device, profile),
            _sql(f"DELETE FROM {at}profile_code WHERE profile_id = ?1", profile),
        )
        return await self.seats(profile)

    def _new_key(
        self, profile: str, kind: str, public: bytes, label: str, key: str = ""
    ) -> Statement:
        now = self.clock()
        return _sql(
            f"INSERT INTO {self._at}profile_key"
            " (id, profile_id, kind, public, label, created_at, used_at)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
            key or key_id(public),
            profile,
            kind,
            public,
            _clean_label(label),
            now,
        )

    async def _check_new(self, device: str) -> None:
        query = f"SELECT 1 FROM {self._at}profile_key WHERE id = ?1"
        if await self.store.fetch(query, device):
            raise ProfileRefused("known_device")

    async def _check_room(self, profile: str) -> None:
        query = f"SELECT count(*) FROM {self._at}profile_key WHERE profile_id = ?1"
        if (await self.store.fetch(query, profile))[0][0] >= MOST_KEYS:
            raise ProfileRefused("too_many_devices", most=MOST_KEYS)

    # ---- seats ----------------------------------------------------------------------------------

    async def claim(self, profile: str, table_id: str, holder: str) -> None:
        """Note that the seats of a holder are those of a profile; the caller knows their token."""
        at = self._at
        held = f"SELECT count(*) FROM {at}profile_seat WHERE profile_id = ?1"
        if (await self.store.fetch(held, profile))[0][0] >= MOST_SEATS:
            oldest = (
                f"DELETE FROM {at}profile_seat WHERE profile_id = ?1 AND table_id IN (SELECT g.id"
                f" FROM {at}game_table g JOIN {at}profile_seat s ON s.table_id = g.id"
                " WHERE s.profile_id = ?1 ORDER BY g.active_at LIMIT 1)"
            )
            await self._write(_sql(oldest, profile))
        await self._write(
            _sql(
                f"INSERT INTO {at}profile_seat VALUES (?1, ?2, ?3)"
                " ON CONFLICT (table_id, holder) DO UPDATE SET profile_id = excluded.profile_id",
                table_id,
                holder,
                profile,
            )
        )

    async def unclaim(self, table_id: str, holder: str) -> None:
        await self._write(
            _sql(
                f"DELETE FROM {self._at}profile_seat WHERE table_id = ?1 AND holder = ?2",
                table_id,
                holder,
            )
        )

    async def follow(self, table_id: str, new_table: str) -> None:
        """The people of a table have the same secrets at a new one."""
        await self._write(
            _sql(
                f"INSERT INTO {self._at}profile_seat (table_id, holder, profile_id)"
                f" SELECT g.id, s.holder, s.profile_id FROM {self._at}profile_seat s"
                f" JOIN {self._at}game_table g ON g.id = ?2 WHERE s.table_id = ?1"
                " ON CONFLICT (table_id, holder) DO NOTHING",
                table_id,
                new_table,
            )
        )

    async def seats(self, profile: str) -> list[tuple[str, str]]:
        """Table and holder of each seat of a profile, latest activity first."""
        rows = await self.store.fetch(
            f"SELECT s.table_id, s.holder FROM {self._at}profile_seat s"
            f" JOIN {self._at}game_table g ON g.id = s.table_id"
            " WHERE s.profile_id = ?1 ORDER BY g.active_at DESC, g.id",
            profile,
        )
        return [(row[0], row[1]) for row in rows]

    async def turns(self, profile: str) -> list[tuple[str, str]]:
        """Table and holder where it is the turn of a profile, at the tables by days."""
        rows = await self.store.fetch(
            f"SELECT s.table_id, s.holder FROM {self._at}profile_seat s JOIN {self._at}turn t"
            " ON t.table_id = s.table_id AND t.holder = s.holder WHERE s.profile_id = ?1",
            profile,
        )
        return [(row[0], row[1]) for row in rows]

    async def holder(self, profile: str, table_id: str) -> str | None:
        """The holder by which a profile has its seats at a table."""
        rows = await self.store.fetch(
            f"SELECT holder FROM {self._at}profile_seat WHERE table_id = ?1 AND profile_id = ?2",
            table_id,
            profile,
        )
        return rows[0][0] if rows else None

    async def at_table(self, table_id: str) -> dict[str, str]:
        """The profile of each holder at a table."""
        rows = await self.store.fetch(
            f"SELECT holder, profile_id FROM {self._at}profile_seat WHERE table_id = ?1", table_id
        )
        return {row[0]: row[1] for row in rows}

    async def holder_at(self, table_id: str, session: str) -> str | None:
        """The holder of the seats of a session's profile at a table; None without a session."""
        try:
            signed = await self.verify(session)
        except NotSignedIn:
            return None
        return await self.holder(signed.profile, table_id)

    async def vacation_of(self, table_id: str, holder: str) -> int:
        """Until when the person of a holder is on vacation (Unix milliseconds); 0: not."""
        rows = await self.store.fetch(
            f"SELECT p.vacation_until FROM {self._at}profile_seat s"
            f" JOIN {self._at}profile p ON p.id = s.profile_id"
            " WHERE s.table_id = ?1 AND s.holder = ?2",
            table_id,
            holder,
        )
        return int(rows[0][0]) if rows else 0

    async def vacation(self, profile: str) -> tuple[int, int]:
        """Until when a profile is on vacation (Unix milliseconds), and the days that are left to
        take this year."""
        until, settings = await self._settings(profile)
        return until, MOST_VACATION - settings.get("vacation", {}).get(self._year(), 0)

    async def take_vacation(self, profile: str, days: int) -> int:
        """Stop the clocks by days for some days from now on, or with 0 days go on at once.

        Whole days of an earlier vacation that were not used are given back. Returns its end.
        """
        now = self.clock()
        until, settings = await self._settings(profile)
        used = settings.get("vacation", {}).get(self._year(), 0) - max(0, until - now) // DAY
        left = MOST_VACATION - max(0, used)
        if not 0 <= days <= left:
            raise ProfileRefused("too_much_vacation", left=left, most=MOST_VACATION)
        settings["vacation"] = {self._year(): max(0, used) + days}
        until = now + days * DAY if days else min(until, now)
        await self._write(
            _sql(
                f"UPDATE {self._at}profile SET vacation_until = ?2, settings = ?3 WHERE id = ?1",
                profile,
                until,
                msgspec.json.encode(settings),
            )
        )
        return until

    async def _settings(self, profile: str) -> tuple[int, dict[str, Any]]:
        rows = await self.store.fetch(
            f"SELECT vacation_until, settings FROM {self._at}profile WHERE id = ?1", profile
        )
        if not rows:
            raise ProfileRefused("no_profile")
        return int(rows[0][0]), msgspec.json.decode(bytes(rows[0][1]))

    def _year(self) -> str:
        return str(datetime.fromtimestamp(self.clock() / 1000, UTC).year)

    # ---- the host ----

    async def named(self, name: str) -> list[tuple[str, str, int, int, int, int]]:
        """Profiles of a name: id, name, when it was made and last used, how many keys and seats."""
        at = self._at
        rows = await self.store.fetch(
            "SELECT p.id, p.name, p.created_at, p.seen_at,"
            f" (SELECT count(*) FROM {at}profile_key k WHERE k.profile_id = p.id),"
            f" (SELECT count(*) FROM {at}profile_seat s WHERE s.profile_id = p.id)"
            f" FROM {at}profile p WHERE p.name = ?1 ORDER BY p.created_at LIMIT 100",
            clean_name(name),
        )
        return [tuple(row) for row in rows]

    async def rename(self, profile: str, name: str) -> None:
        """Replace the name of a profile."""
        name = self.checked_name(name)
        await self._write(
            _sql(f"UPDATE {self._at}profile SET name = ?2 WHERE id = ?1", profile, name)
        )

    # ---- the whole server -----------------------------------------------------------------------

    async def delete_unused(self, idle: int) -> int:
        """Delete profiles whose last session is this long ago (milliseconds); returns how many."""
        (gone,) = await self._write(
            _sql(
                f"DELETE FROM {self._at}profile WHERE seen_at < ?1 RETURNING id",
                self.clock() - idle,
            )
        )
        return len(gone)

    async def _write(self, *statements: Statement) -> list[Any]:
        return await self.store.transact(*statements)


def _sql(text: str, *parameters: Any) -> Statement:
    return Statement(text, parameters)


def _plain(code: str) -> str:
    """A code without what people add when they type it."""
    bare = code.replace(" ", "")
    grouped = bare.replace("-", "").upper()
    return grouped if len(grouped) == 20 and set(grouped) <= set(_LETTERS) else bare


def _clean_label(label: str) -> str:
    return "".join(c if c.isprintable() else " " for c in label).strip()
