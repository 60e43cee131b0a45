"""Turn a WebAssembly object file of LLVM into a module for browsers.

An object file is a module without exports.  Its section for linkers has the names of functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

HEADER = b"\0asm\x01\0\0\0"

# Sections, by number.
CUSTOM = 0
EXPORTS = 7
DATA = 11
#: The order of sections; those with higher numbers were added to the format later.
ORDER = (1, 2, 3, 4, 5, 13, 6, EXPORTS, 8, 9, 12, 10, DATA)

LINKING = "linking"
SYMBOLS = 8

# Kinds of symbols.
FUNCTION = 0
DATUM = 1
SECTION = 3
UNDEFINED = 0x10
NAMED = 0x40

I32_CONSTANT = 0x41


class BadModule(ValueError):
    """A file that LLVM would not write."""


@dataclass
class Reader:
    """Reads numbers and names in order."""

    data: bytes
    at: int = 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        value = shift = 0
        while True:
            part = self.byte()
            value |= (part & 0x7F) << shift
            shift += 7
            if part < 0x80:
                return value

    def take(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def name(self) -> str:
        return self.take(self.number()).decode()

    @property
    def more(self) -> bool:
        return self.at < len(self.data)


def number_bytes(value: int) -> bytes:
    """Encode a number as LEB128: seven bits per byte, the lowest first."""
    written = bytearray()
    while value >= 0x80:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)


def name_bytes(name: str) -> bytes:
    text = name.encode()
    return number_bytes(len(text)) + text


def sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the number and content of each section."""
    if not module.startswith(HEADER):
        raise BadModule("this is not WebAssembly")
    reader = Reader(module, len(HEADER))
    while reader.more:
        kind = reader.byte()
        yield kind, reader.take(reader.number())


def function_numbers(module: bytes) -> dict[str, int]:
    """Return the numbers of the functions of an object file, by name."""
    found: dict[str, int] = {}
    for kind, content in sections(module):
        reader = Reader(content)
        if kind == CUSTOM and reader.name() == LINKING:
            reader.number()  # the version
            while reader.more:
                part, size = reader.byte(), reader.number()
                body = Reader(reader.take(size))
                if part == SYMBOLS:
                    found.update(_functions(body))
    return found


def _functions(symbols: Reader) -> Iterator[tuple[str, int]]:
    for _ in range(symbols.number()):
        kind, flags = symbols.byte(), symbols.number()
        if kind == DATUM:
            symbols.name()
            if not flags & UNDEFINED:
                for _ in range(3):  # segment, offset, length
                    symbols.number()
        elif kind == SECTION:
            symbols.number()
        else:
            number = symbols.number()
            if not flags & UNDEFINED or flags & NAMED:
                name = symbols.name()
                if kind == FUNCTION and not flags & UNDEFINED:
                    yield name, number


def data_end(module: bytes) -> int:
    """Return the first address after all data of a module."""
    end = 0
    for kind, content in sections(module):
        if kind == DATA:
            reader = Reader(content)
            for _ in range(reader.number()):
                if reader.number() != 0 or reader.byte() != I32_CONSTANT:
                    raise BadModule("data lie at an address that is not a plain number")
                first = reader.number()  # an address, so its sign is +
                reader.byte()  # the end of the expression
                size = reader.number()
                reader.take(size)
                end = max(end, first + size)
    return end


def linked(module: bytes, exports: Mapping[str, str], section: str, note: bytes) -> bytes:
    """Make a module of an object file.

    ``exports`` maps the names of exports to functions; ``note`` is the content of a custom
    ``section``.  The sections for linkers are removed.
    """
    numbers = function_numbers(module)
    if missing := [function for function in exports.values() if function not in numbers]:
        raise BadModule(f"no function {', '.join(missing)}")
    exported = number_bytes(len(exports)) + b"".join(
        name_bytes(name) + b"\0" + number_bytes(numbers[function])
        for name, function in exports.items()
    )
    parts = [(kind, content) for kind, content in sections(module) if kind != CUSTOM]
    parts.append((EXPORTS, exported))
    parts.sort(key=lambda part: ORDER.index(part[0]))
    parts.append((CUSTOM, name_bytes(section) + note))
    return HEADER + b"".join(
        bytes([kind]) + number_bytes(len(content)) + content for kind, content in parts
    )
