"""The draws of a live game as rules, so that a browser can recompute them.

`archipel.tables.log.fair_chance` says what they are: HMAC-SHA256 of the draw's number with the key
of the game. The server draws with the functions of `hashlib`; these rules give the same outcomes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.rules.kit import array, rule, scalar, state

WORD: Final = 0xFFFF_FFFF
BLOCK: Final = 64
#: Bytes of a key block, the label and the nonces of six seats, and the padding.
MOST_BYTES: Final = 576
#: The outcomes of one action, or of the deal, that are recorded.
MOST_OUTCOMES: Final = 1024
#: What outcomes are drawn for, at the tables of a duplicate event: see `draw_for` of the kit.
PURPOSES: Final = 64


def _fraction_of_root(n: int, power: int) -> int:
    """The first 32 bits of the fractional part of a root."""
    root = 0
    for bit in reversed(range(36)):
        if (root | 1 << bit) ** power <= n << 32 * power:
            root |= 1 << bit
    return root & WORD


_PRIMES = [n for n in range(2, 312) if all(n % divisor for divisor in range(2, n))]
#: The constants of SHA-256 (FIPS 180-4): from cube roots of primes, and from square roots.
ROUNDS = [_fraction_of_root(prime, 3) for prime in _PRIMES]
START = [_fraction_of_root(prime, 2) for prime in _PRIMES[:8]]


@state
@dataclass(slots=True)
class FairDraws:
    """A `Chance` whose draws depend on the key and their numbers alone. Records the outcomes.

    ``by_purpose`` is 1 at the tables of a duplicate event, which number their draws by purpose.

    All fields have 64 bits, because Numba makes unsigned and signed numbers together floats.
    """

    key: list[int] = array("i8", 32)
    next_draw: int = scalar("i8")
    count: int = scalar("i8")
    outcomes: list[int] = array("i8", MOST_OUTCOMES)
    message: list[int] = array("i8", MOST_BYTES)
    digest: list[int] = array("i8", 8)
    schedule: list[int] = array("i8", 64)
    by_purpose: int = scalar("i8")
    drawn: list[int] = array("i8", PURPOSES)


@rule
def rotated(word: int, by: int) -> int:
    return ((word >> by) | (word << (32 - by))) & WORD


@rule
def compress(c: FairDraws, at: int) -> None:
    """Add the block of the message that begins at ``at`` to the digest."""
    for t in range(16):
        p = at + 4 * t
        first, second = c.message[p] << 24, c.message[p + 1] << 16
        c.schedule[t] = first | second | (c.message[p + 2] << 8) | c.message[p + 3]
    for t in range(16, 64):
        early, late = c.schedule[t - 15], c.schedule[t - 2]
        small = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
        large = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
        c.schedule[t] = (c.schedule[t - 16] + small + c.schedule[t - 7] + large) & WORD
    a, b, third, d = c.digest[0], c.digest[1], c.digest[2], c.digest[3]
    e, f, g, h = c.digest[4], c.digest[5], c.digest[6], c.digest[7]
    for t in range(64):
        large = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
        chosen = (e & f) ^ ((WORD ^ e) & g)
        one = h + large + chosen + ROUNDS[t] + c.schedule[t]
        small = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
        two = small + ((a & b) ^ (a & third) ^ (b & third))
        h, g, f, e = g, f, e, (d + one) & WORD
        d, third, b, a = third, b, a, (one + two) & WORD
    c.digest[0] = (c.digest[0] + a) & WORD
    c.digest[1] = (c.digest[1] + b) & WORD
    c.digest[2] = (c.digest[2] + third) & WORD
    c.digest[3] = (c.digest[3] + d) & WORD
    c.digest[4] = (c.digest[4] + e) & WORD
    c.digest[5] = (c.digest[5] + f) & WORD
    c.digest[6] = (c.digest[6] + g) & WORD
    c.digest[7] = (c.digest[7] + h) & WORD


@rule
def sha256(c: FairDraws, length: int) -> None:
    """Write the SHA-256 of the first bytes of the message to the digest."""
    padded = (length + 9 + BLOCK - 1) // BLOCK * BLOCK
    for at in range(length, padded):
        c.message[at] = 0
    c.message[length] = 0x80
    for place in range(4):
        c.message[padded - 1 - place] = ((8 * length) >> (8 * place)) & 0xFF
    for word in range(8):
        c.digest[word] = START[word]
    for block in range(padded // BLOCK):
        compress(c, block * BLOCK)


@rule
def put_key(c: FairDraws, mask: int) -> None:
    """Write the key block of the inner or outer hash (RFC 2104) to the message."""
    for at in range(BLOCK):
        c.message[at] = mask
    for at in range(32):
        c.message[at] = c.key[at] ^ mask


@rule
def hmac(c: FairDraws, length: int) -> None:
    """Write the HMAC-SHA256 of the bytes behind the first block to the digest."""
    put_key(c, 0x36)
    sha256(c, BLOCK + length)
    put_key(c, 0x5C)
    for at in range(32):
        c.message[BLOCK + at] = (c.digest[at // 4] >> (24 - 8 * (at % 4))) & 0xFF
    sha256(c, BLOCK + 32)


@rule
def derive_key(draws: list[FairDraws], length: int, by_purpose: int) -> None:
    """Replace the secret in ``key`` by the key of the game, and say how its draws are numbered.

    The label and the nonces, ``length`` bytes, are in the message behind the first block.
    """
    c = draws[0]
    hmac(c, length)
    for at in range(32):
        c.key[at] = (c.digest[at // 4] >> (24 - 8 * (at % 4))) & 0xFF
    c.next_draw = 0
    c.by_purpose = by_purpose


@rule
def outcome_of(c: FairDraws, n: int) -> int:
    """Return the digest modulo ``n``, or -1 if it is in the last, incomplete run of ``n``."""
    number = largest = 0
    ones = 0
    for word in range(8):
        number = ((number << 32) | c.digest[word]) % n
        largest = ((largest << 32) | WORD) % n
        if word < 7 and c.digest[word] == WORD:
            ones += 1
    incomplete = (largest + 1) % n
    if ones == 7 and c.digest[7] > WORD - incomplete:
        return -1
    return number


@rule
def share_of(c: FairDraws, n: int) -> int:
    """Return in which of ``n`` equal runs of numbers the digest is, or -1 if in the rest."""
    carry = 0
    rest = 0
    for back in range(8):
        product = c.digest[7 - back] * n + carry
        carry = product >> 32
        # The product is below the rest of 2**256 by n only if all but its last word are 0.
        if back == 0:
            rest = product & WORD
        elif product & WORD != 0:
            rest = WORD
    largest = 0
    for _ in range(8):
        largest = ((largest << 32) | WORD) % n
    return -1 if rest < (largest + 1) % n else carry


@rule
def digest_of_draw(c: FairDraws, number: int, attempt: int) -> None:
    for place in range(8):
        c.message[BLOCK + 7 - place] = (number >> (8 * place)) & 0xFF
    for place in range(4):
        c.message[BLOCK + 11 - place] = (attempt >> (8 * place)) & 0xFF
    hmac(c, 12)


@rule
def record_outcome(c: FairDraws, outcome: int) -> None:
    if c.count < MOST_OUTCOMES:
        c.outcomes[c.count] = outcome
    c.count += 1


@rule
def draw_fairly(c: FairDraws, n: int) -> int:
    """Return the next outcome, one of 0 to n-1, and record it."""
    outcome, attempt = -1, 0
    while outcome < 0:
        digest_of_draw(c, c.next_draw, attempt)
        outcome = outcome_of(c, n)
        attempt += 1
    c.next_draw += 1
    record_outcome(c, outcome)
    return outcome


@rule
def draw_fairly_for(c: FairDraws, purpose: int, n: int) -> int:
    """Return the next outcome for a purpose, and record it."""
    if c.by_purpose == 0 or purpose == 0:
        return draw_fairly(c, n)
    outcome, attempt = -1, 0
    while outcome < 0:
        digest_of_draw(c, (purpose << 32) | c.drawn[purpose], attempt)
        outcome = share_of(c, n)
        attempt += 1
    c.drawn[purpose] += 1
    record_outcome(c, outcome)
    return outcome
