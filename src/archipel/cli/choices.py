"""The choices on a screen with only so much room: one a line, or grouped by their first word."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Styled = Callable[[str, str], str]


def one_a_line(written: Sequence[str], labels: Sequence[str], styled: Styled) -> list[str]:
    """Each with its number, how it is typed, and what it means."""
    width = max(map(len, written))
    return [
        f"{styled(f'{number:>3}  {text:<{width}}', 'key')}  {label}"
        for number, (text, label) in enumerate(zip(written, labels, strict=True), 1)
    ]


def grouped(written: Sequence[str], columns: int, styled: Styled) -> list[str]:
    """Side by side under the word that they begin with: ``explorer  1 w1  2 w2  3 w4``."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for number, text in enumerate(written, 1):
        first, _, rest = text.partition(" ")
        groups.setdefault(first if rest else "", []).append((str(number), rest or text))
    indent = max(map(len, groups)) + 4
    lines = []
    for first, entries in groups.items():
        digits = max(len(number) for number, _ in entries)
        width = digits + 1 + max(len(rest) for _, rest in entries) + 2
        across = max(1, (columns - indent) // width)
        for start in range(0, len(entries), across):
            head = f"  {first if start == 0 else '':<{indent - 2}}"
            cells = [
                styled(f"{number:>{digits}}", "key") + f" {rest:<{width - digits - 1}}"
                for number, rest in entries[start : start + across]
            ]
            lines.append((head + "".join(cells)).rstrip())
    return lines
