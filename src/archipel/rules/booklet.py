"""The rules of a game as text for players: one line per rule id, one file per language.

A game keeps its booklet in its own package, as ``text/rules.<language>.md``::

    # Title

    One paragraph of introduction.

    ## Chapter

    - DS-T1 (R, D) The text of the rule.

The letters are the sources of a rule: R the rulebook, F a fact seen in its pictures, D a decision
of this implementation. The parser accepts only this format.
"""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from archipel.rules.catalogue import LANGUAGES as LANGUAGES
from archipel.rules.catalogue import text_file
from archipel.rules.text_layout import hanging

SOURCES = ("R", "F", "D")
#: What the letters after a rule's id mean, wherever ids are shown.
SOURCES_EXPLAINED = {
    "en": "The letter after a rule’s number says where the rule comes from: R, the rulebook; F, a "
    "fact from elsewhere; D, a decision of ours where the rulebook is silent or unclear.",
    "fr": "La lettre qui suit le numéro d’une règle indique d’où elle vient\u00a0: R, du livret de "
    "règles\u202f; F, d’un fait trouvé ailleurs\u202f; D, d’une décision de notre part, là où le "
    "livret se tait ou reste flou.",
}

_RULE = re.compile(r"- (?P<id>[A-Z]+-[A-Z]+(0|[1-9][0-9]*)) \((?P<sources>[^()]*)\) (?P<text>\S.*)")


class UnknownRuleError(KeyError):
    """A booklet has no rule with this id."""

    def __init__(self, rule_id: str, near: tuple[str, ...]) -> None:
        super().__init__(rule_id)
        self.rule_id = rule_id
        self.near = near

    def __str__(self) -> str:
        near = f"; near it: {', '.join(self.near)}" if self.near else ""
        return f"no rule {self.rule_id!r} in this booklet{near}"


@dataclass(frozen=True)
class Rule:
    """A rule: its id, its sources, and its text."""

    id: str
    sources: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.id} ({', '.join(self.sources)}) {self.text}"


@dataclass(frozen=True)
class Chapter:
    """The rules under one heading, in order."""

    title: str
    rules: tuple[Rule, ...]

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)


@dataclass(frozen=True)
class Booklet:
    """The rules of one game in one language. Iterating yields its rules in order."""

    title: str
    introduction: str
    chapters: tuple[Chapter, ...]
    language: str

    def __iter__(self) -> Iterator[Rule]:
        for chapter in self.chapters:
            yield from chapter

    def rule(self, rule_id: str) -> Rule:
        """Return the rule with this id, or raise `UnknownRuleError` (a `KeyError`)."""
        for rule in self:
            if rule.id == rule_id:
                return rule
        near = difflib.get_close_matches(rule_id.upper(), [rule.id for rule in self], n=5)
        raise UnknownRuleError(rule_id, tuple(near))

    def __str__(self) -> str:
        parts = [f"{self.title}\n{'=' * len(self.title)}", hanging("", self.introduction)]
        parts.append(hanging("", SOURCES_EXPLAINED[self.language]))
        for chapter in self.chapters:
            parts.append(f"{chapter.title}\n{'-' * len(chapter.title)}")
            parts.extend(hanging("", str(rule), indent=4) for rule in chapter)
        return "\n\n".join(parts)


@cache
def load_booklet(package: str, language: str) -> Booklet:
    """Load the booklet of a game's package, such as ``archipel.rules.deep_sea``."""
    file, found = text_file(package, "rules.{}.md", language)
    return parse_booklet(file.read_text("utf-8"), found, f"{package}/text/{file.name}")


def parse_booklet(text: str, language: str, file: str) -> Booklet:
    """Parse a booklet. Raises `ValueError` with the file and line of a mistake."""
    title = introduction = ""
    chapters: list[tuple[str, int, list[Rule]]] = []
    first_line: dict[str, int] = {}
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        where = f"{file}, line {number}"
        if not line:
            continue
        if line != line.strip():
            raise ValueError(f"{where}: space at the start or the end of the line")
        if not title:
            title = _heading(line, "# ", where, "the first line must be '# Title'")
        elif line.startswith("## "):
            if not introduction:
                raise ValueError(f"{where}: a chapter before the introduction")
            heading = _heading(line, "## ", where, "expected '## Chapter'")
            if any(heading == earlier for earlier, _, _ in chapters):
                raise ValueError(f"{where}: chapter {heading!r} is there twice")
            chapters.append((heading, number, []))
        elif line.startswith("- "):
            rule = _rule(line, where)
            if not chapters:
                raise ValueError(f"{where}: rule {rule.id} stands before any chapter")
            earlier_line = first_line.setdefault(rule.id, number)
            if earlier_line != number:
                raise ValueError(f"{where}: rule {rule.id} is already on line {earlier_line}")
            chapters[-1][2].append(rule)
        elif introduction or line.startswith("#"):
            raise ValueError(
                f"{where}: expected '## Chapter' or '- ID (R, F, D) Text', not {_short(line)}"
            )
        else:
            introduction = line
    if not chapters:
        raise ValueError(f"{where}: the file ends without a chapter")
    for heading, number, rules in chapters:
        if not rules:
            raise ValueError(f"{file}, line {number}: chapter {heading!r} has no rules")
    found = tuple(Chapter(heading, tuple(rules)) for heading, _, rules in chapters)
    return Booklet(title, introduction, found, language)


def _heading(line: str, mark: str, where: str, expected: str) -> str:
    title = line.removeprefix(mark)
    if title == line or title != title.strip():
        raise ValueError(f"{where}: {expected}, not {_short(line)}")
    return title


def _rule(line: str, where: str) -> Rule:
    match = _RULE.fullmatch(line)
    if match is None:
        raise ValueError(f"{where}: expected '- ID (R, F, D) Text', not {_short(line)}")
    sources = tuple(match["sources"].split(", "))
    known = ", ".join(SOURCES)
    for source in sources:
        if source not in SOURCES:
            raise ValueError(
                f"{where}: {match['id']} has source {source!r}; there are {known}, as in '(R, D)'"
            )
    if sources != tuple(source for source in SOURCES if source in sources):
        raise ValueError(f"{where}: {match['id']} must name each source once, in the order {known}")
    return Rule(match["id"], sources, match["text"])


def _short(line: str) -> str:
    return repr(line if len(line) <= 40 else line[:37] + "...")
