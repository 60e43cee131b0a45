"""Verifiable chance: nobody can choose the outcomes, and everybody can check them afterwards.

Before the game each person seals a nonce: they publish its SHA-256 and keep the nonce secret.  When
the game begins the table draws a secret of 32 bytes and publishes its SHA-256, the commitment; then
the nonces are opened.  From then on

    key        = HMAC-SHA256(secret, "archipel chance 1" + for each seat: newline + its nonce)
    draw k     = HMAC-SHA256(key, k as 8 bytes + attempt as 4 bytes), a number below 2**256
    outcome    = that number modulo n; numbers of the last, incomplete run of n are refused and
                 the next attempt (from 0) is taken, so all outcomes are equally likely

k counts every outcome of the game from 0, the deal first; no number is used twice.  When the game
is over the secret is published, and anyone can check the commitment and every outcome.

Tables of a duplicate event share the secret, the nonces and so the outcomes.  Their games diverge,
so they number their draws by what they are for (`draw_for` of the kit), not by count:

    key        = HMAC-SHA256(secret, "archipel duplicate 1" + for each nonce: newline + nonce)
    draw k     = as above; k = purpose * 2**32 + how often the table has drawn for the purpose
    outcome    = for purpose 0, the deal: as above.  For others: that number * n // 2**256; a
                 product whose last 256 bits are less than 2**256 modulo n is refused

Sharing out the numbers in runs, in place of the modulus, gives tables with nearly equal bags
nearly equal tiles.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import count

from archipel.rules.fair_draws import PURPOSES

SECRET_BYTES = 32
#: A nonce: printable, on one line, and no comment in a record.
NONCE = re.compile(r"[A-Za-z0-9_-]{1,64}")
SEAL = re.compile(r"[0-9a-f]{64}")
_LABEL = b"archipel chance 1"
_DUPLICATE_LABEL = b"archipel duplicate 1"

#: Cached keys; a game uses one key from beginning to end.
_GAMES = 4_096
_BLOCK_BYTES = 64
_INNER, _OUTER = (bytes(byte ^ mask for byte in range(256)) for mask in (0x36, 0x5C))
# HMAC is written out below: `hmac.digest` looks its hash function up at every call, which takes
# longer than both hashes.
_sha256 = hashlib.sha256


def seal_of(nonce: str) -> str:
    """The SHA-256 of a nonce, in hexadecimal: published before the secret is fixed."""
    return hashlib.sha256(nonce.encode()).hexdigest()


def commitment(secret: bytes) -> str:
    """The SHA-256 of the secret, in hexadecimal: published before the game."""
    return hashlib.sha256(secret).hexdigest()


@lru_cache(maxsize=_GAMES)
def chance_key(secret: bytes, nonces: tuple[str, ...], *, duplicate: bool = False) -> bytes:
    """The key of all draws of a game, from the secret and the nonces by seat."""
    return hmac.digest(secret, chance_text(nonces, duplicate=duplicate), "sha256")


def chance_text(nonces: Iterable[str], *, duplicate: bool = False) -> bytes:
    """The text that the secret signs: the label and the nonces by seat."""
    label = _DUPLICATE_LABEL if duplicate else _LABEL
    return b"".join([label, *(b"\n" + nonce.encode() for nonce in nonces)])


@lru_cache(maxsize=_GAMES)
def _halves(key: bytes) -> tuple[bytes, bytes]:
    """The key blocks of the inner and outer hash (RFC 2104)."""
    block = key.ljust(_BLOCK_BYTES, b"\0")
    return block.translate(_INNER), block.translate(_OUTER)


def _words(key: bytes, number: int) -> Iterator[bytes]:
    """HMAC-SHA256 of the key for draw ``number``, attempt by attempt."""
    inner, outer = _halves(key)
    first = inner + number.to_bytes(8, "big")
    for attempt in count():
        inside = _sha256(first + attempt.to_bytes(4, "big")).digest()
        yield _sha256(outer + inside).digest()


#: The number of possible words, and the encoded number of the first attempt.
_WORDS = 1 << 256
_FIRST_ATTEMPT = bytes(4)


def unbiased(words: Iterable[bytes], n: int) -> int:
    """A number below ``n`` by rejection sampling: uniform if the words are random."""
    for word in words:
        number = int.from_bytes(word, "big")
        size = 1 << 8 * len(word)
        if number < size - size % n:
            return number % n
    raise ValueError("no word was fit for an outcome")


class FairChance:
    """A `Chance` whose draws depend on the key and their numbers alone."""

    def __init__(self, key: bytes | Callable[[], bytes], first_draw: int) -> None:
        """``key`` may be a function, called at the first draw: most moves draw nothing."""
        self._made_key = key
        self.next_draw = first_draw

    def __repr__(self) -> str:  # Keeps the key out of logged tracebacks.
        return f"FairChance(next_draw={self.next_draw})"

    def draw(self, n: int, /) -> int:
        made = self._made_key
        key = self._made_key = made if isinstance(made, bytes) else made()
        number = self.next_draw
        self.next_draw += 1
        # Fast path: the first attempt is nearly always accepted.
        inner, outer = _halves(key)
        inside = _sha256(inner + number.to_bytes(8, "big") + _FIRST_ATTEMPT).digest()
        word = int.from_bytes(_sha256(outer + inside).digest(), "big")
        if word < _WORDS - _WORDS % n:
            return word % n
        return unbiased(_words(key, number), n)


class DuplicateChance:
    """A `PurposefulChance`: a draw depends on the key, its purpose and the draws for that before.

    ``drawn`` has how often the table has drawn, by purpose.
    """

    def __init__(self, key: bytes | Callable[[], bytes], drawn: Iterable[int] = ()) -> None:
        self._made_key = key
        self.drawn = [*drawn]
        self.drawn += [0] * (PURPOSES - len(self.drawn))

    def __repr__(self) -> str:  # Keeps the key out of logged tracebacks.
        return f"DuplicateChance(drawn={self.drawn})"

    def draw(self, n: int, /) -> int:
        return self.draw_for(0, n)

    def draw_for(self, purpose: int, n: int, /) -> int:
        made = self._made_key
        key = self._made_key = made if isinstance(made, bytes) else made()
        words = _words(key, number_of_draw(purpose, self.drawn[purpose]))
        self.drawn[purpose] += 1
        return shared_out(words, n) if purpose else unbiased(words, n)


def number_of_draw(purpose: int, drawn: int) -> int:
    """The number of the next draw for a purpose, after so many draws for it."""
    return purpose << 32 | drawn


def shared_out(words: Iterable[bytes], n: int) -> int:
    """In which of ``n`` equal runs of numbers a word is: uniform if the words are random."""
    for word in words:
        size = 1 << 8 * len(word)
        outcome, rest = divmod(int.from_bytes(word, "big") * n, size)
        if rest >= size % n:
            return outcome
    raise ValueError("no word was fit for an outcome")
