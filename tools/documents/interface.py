"""The Python interface, from docstrings: everything that the packages for users export."""

from __future__ import annotations

import dataclasses
import html
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from tools.documents.markdown import Heading, Markdown, coloured, squeezed
from tools.documents.pages import Page, Passage, way

ADDRESS = "python.html"
TITLE = "The Python interface"
#: Packages whose ``__all__`` is meant for users, from games to what games are made of.
MODULES = ("archipel", "archipel.study", "archipel.bots", "archipel.rules.kit")
_INTRODUCTION = (
    "Everything that these packages export, as their source describes it. "
    "[At the prompt](docs/prompt.md) shows how it is used."
)
_WIDEST = 88
_KEYWORD = inspect.Parameter.KEYWORD_ONLY
#: How Python shows a default that is a function.
_FUNCTION = re.compile(r"<function (\w+) at 0x[0-9a-f]+>")
_MODULE = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Z])")
_DOCTEST = re.compile(r"(?:^>>> .*\n(?:^(?!>>> ).+\n)*)+", re.MULTILINE)


class InterfacePage:
    """Writes the page."""

    def __init__(self, resolve: Callable[[str], str], rules: Mapping[str, str]) -> None:
        own = {rule: way(ADDRESS, place) for rule, place in rules.items()}
        self._markdown = Markdown(resolve, own)
        self._headings: list[Heading] = []
        self._passages: list[Passage] = []
        self._parts: list[str] = []

    def page(self) -> Page:
        self._heading(1, TITLE, "", "")
        self._parts.append(f"<p>{self._markdown.line(_INTRODUCTION)}</p>")
        for name in MODULES:
            self._module(import_module(name), name)
        return Page(
            ADDRESS,
            TITLE,
            "en",
            "\n".join(self._parts),
            tuple(self._headings),
            tuple(self._passages),
        )

    def _module(self, module: ModuleType, name: str) -> None:
        self._heading(2, name, name, described(module))
        self._describe(described(module))
        for exported in sorted(module.__all__, key=lambda each: (each.lower(), each)):
            self._thing(getattr(module, exported), exported, f"{name}.{exported}")

    def _thing(self, thing: Any, name: str, full: str) -> None:
        if not (inspect.isclass(thing) or inspect.isroutine(thing)):
            self._heading(3, name, full, "")
            self._code(f"{name} = {_MODULE.sub('', repr(thing))}")
            return
        text = described(thing)
        self._heading(3, name, full, text)
        if inspect.isclass(thing):
            self._code(f"class {signature(thing, name)}")
            self._describe(text)
            self._members(thing, full)
        else:
            self._code(f"def {signature(thing, name)}")
            self._describe(text)

    def _members(self, thing: type, full: str) -> None:
        rows = []
        for name, member in members(thing):
            anchor = f"{full}.{name}"
            text = described(member)
            head = coloured(_head(member, name), "python").rstrip()
            body = self._markdown.render(as_markdown(text)).html if text else ""
            self._passages.append(Passage(anchor, f"{thing.__name__}.{name}", squeezed(text)))
            rows.append(f'<dt id="{anchor}"><code>{head}</code></dt><dd>{body}</dd>')
        if rows:
            self._parts.append(f'<dl class="members">{"".join(rows)}</dl>')

    def _heading(self, level: int, title: str, anchor: str, text: str) -> None:
        self._headings.append(Heading(level, title, anchor))
        self._passages.append(Passage(anchor, title, squeezed(text)))
        marked = f' id="{anchor}"' if anchor else ""
        self._parts.append(f"<h{level}{marked}>{html.escape(title)}</h{level}>")

    def _code(self, code: str) -> None:
        shown = coloured(code, "python")
        self._parts.append(f'<pre tabindex="0" class="signature"><code>{shown}</code></pre>')

    def _describe(self, text: str) -> None:
        self._parts.append(self._markdown.render(as_markdown(text)).html)


# ---- what is told of a thing --------------------------------------------------------------------


def members(thing: type) -> Iterator[tuple[str, Any]]:
    """What a class of ours lets others use, in the order of its source: the class's own first."""
    found: set[str] = set()
    for origin in thing.__mro__:
        if not origin.__module__.startswith("archipel"):
            continue
        fields = {each.name for each in dataclasses.fields(thing)} if is_record(thing) else set()
        for name, member in vars(origin).items():
            usable = isinstance(member, property | classmethod | staticmethod)
            usable = usable or inspect.isfunction(member)
            if usable and name not in found | fields and not name.startswith("_"):
                found.add(name)
                yield name, member


def is_record(thing: type) -> bool:
    return dataclasses.is_dataclass(thing)


def described(thing: Any) -> str:
    """The docstring, unless it is one that Python wrote itself."""
    text = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
    name = getattr(thing, "__name__", "")
    return "" if inspect.isclass(thing) and text.startswith(f"{name}(") else text


def signature(thing: Any, name: str) -> str:
    """Name and parameters, one to a line where they are many."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return name
    parameters = [
        each.replace(annotation=_as_written(each.annotation))
        for each in found.parameters.values()
        if each.name not in ("self", "cls")
    ]
    if getattr(thing, "_is_protocol", False):
        return name
    returned = inspect.Signature.empty
    if not inspect.isclass(thing):
        returned = _as_written(found.return_annotation)
    found = found.replace(parameters=parameters, return_annotation=returned)
    text = _plainly(f"{name}{found}")
    if len(text) <= _WIDEST:
        return text
    lines = [str(each) for each in parameters]
    kinds = [each.kind for each in parameters]
    if _KEYWORD in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        lines.insert(kinds.index(_KEYWORD), "*")
    end = "" if returned is inspect.Signature.empty else f" -> {returned!r}"
    rows = "".join(f"    {line},\n" for line in lines)
    return _plainly(f"{name}(\n{rows}){end}")


def _plainly(text: str) -> str:
    return _FUNCTION.sub(r"\1", text).replace("<factory>", "...")


class _Written:
    """An annotation that prints itself as it stands in the source."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _as_written(annotation: Any) -> Any:
    return _Written(annotation) if isinstance(annotation, str) else annotation


def _head(member: Any, name: str) -> str:
    if isinstance(member, property):
        returned = inspect.signature(member.fget).return_annotation if member.fget else ""
        return f"{name}: {_shown(returned)}"
    if isinstance(member, classmethod | staticmethod):
        kind = "classmethod" if isinstance(member, classmethod) else "staticmethod"
        return f"@{kind}\ndef {signature(member.__func__, name)}"
    return f"def {signature(member, name)}"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else getattr(value, "__name__", repr(value))


def as_markdown(text: str) -> str:
    """A docstring as Markdown: its code in single ticks, its sessions as blocks."""

    def block(found: re.Match[str]) -> str:
        return f"```python\n{found[0]}```\n"

    text = _DOCTEST.sub(block, text.replace("``", "`") + "\n")
    return re.sub(r"::\n", ":\n", text)
