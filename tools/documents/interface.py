"""The pages of the Python API, generated from docstrings."""

from __future__ import annotations

import dataclasses
import html
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from tools.documents.markdown import Heading, Markdown, collapse_spaces, coloured
from tools.documents.pages import Page, Passage, way


@dataclasses.dataclass(frozen=True)
class ApiPage:
    """One page: its address, its title, an introduction in Markdown, and its modules."""

    address: str
    title: str
    introduction: str
    modules: tuple[str, ...]


#: Every public module. `docs/public-api.md` says what public means.
API_PAGES = (
    ApiPage(
        "python.html",
        "Python API",
        "The names of the package `archipel`, which come from `archipel.game` and "
        "`archipel.record`. [At the prompt](docs/prompt.md) shows how to use them.",
        ("archipel",),
    ),
    ApiPage(
        "python/bots.html",
        "Python API: bots",
        "[Writing bots](docs/writing-bots.md) starts with ten lines; "
        "[Search](docs/search.md) explains the settings of bots that search.",
        ("archipel.bots", "archipel.bots.contract", "archipel.bots.search.config"),
    ),
    ApiPage(
        "python/study.html",
        "Python API: studies",
        "[Studies](docs/studies.md) shows how to use these functions.",
        ("archipel.study",),
    ),
    ApiPage(
        "python/analysis.html",
        "Python API: analysis",
        "[Analysis](docs/analysis.md) explains the numbers.",
        ("archipel.analysis",),
    ),
    ApiPage(
        "python/envs.html",
        "Python API: environments",
        "[Environments](docs/environments.md) shows how to use these classes.",
        (
            "archipel.envs",
            "archipel.envs.gpu",
            "archipel.envs.dataset",
            "archipel.envs.dataset_plan",
            "archipel.envs.dataset_parquet",
            "archipel.envs.learn.settings",
            "archipel.envs.learn.policy",
            "archipel.envs.learn.baselines",
            "archipel.frames",
        ),
    ),
    ApiPage(
        "python/rules.html",
        "Python API: game packages",
        "What a game package imports; [Adding a game](docs/adding-a-game.md) walks through one.",
        (
            "archipel.rules.contract",
            "archipel.rules.defining",
            "archipel.rules.options",
            "archipel.rules.scene",
            "archipel.rules.kit",
            "archipel.testing",
        ),
    ),
    ApiPage(
        "python/tables.html",
        "Python API: tables and stores",
        "[Tables](docs/tables.md) describes what happens at a table.",
        ("archipel.tables", "archipel.store.protocol"),
    ),
)
_WIDEST = 88
_KEYWORD = inspect.Parameter.KEYWORD_ONLY
#: The repr of a function as a default value.
_FUNCTION = re.compile(r"<function (\w+) at 0x[0-9a-f]+>")
_MODULE = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Z])")
_DOCTEST = re.compile(r"(?:^>>> .*\n(?:^(?!>>> ).+\n)*)+", re.MULTILINE)


class ApiPageWriter:
    """Writes one page."""

    def __init__(
        self, page: ApiPage, resolve: Callable[[str, str], str], rules: Mapping[str, str]
    ) -> None:
        own = {rule: way(page.address, place) for rule, place in rules.items()}
        self._page = page
        self._markdown = Markdown(lambda target: resolve(page.address, target), own)
        self._headings: list[Heading] = []
        self._passages: list[Passage] = []
        self._parts: list[str] = []

    def page(self) -> Page:
        self._heading(1, self._page.title, "", "")
        self._parts.append(f"<p>{self._markdown.line(self._page.introduction)}</p>")
        for name in self._page.modules:
            try:
                module = import_module(name)
            except ModuleNotFoundError as error:
                if (error.name or "").startswith("archipel"):
                    raise
                self._heading(2, name, name, "")
                self._describe(f"Needs `{error.name}`, which this site was built without.")
                continue
            self._module(module, name)
        return Page(
            self._page.address,
            self._page.title,
            "en",
            "\n".join(self._parts),
            tuple(self._headings),
            tuple(self._passages),
        )

    def _module(self, module: ModuleType, name: str) -> None:
        self._heading(2, name, name, described(module))
        self._describe(described(module))
        for exported in public_names(module):
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
            self._passages.append(
                Passage(anchor, f"{thing.__name__}.{name}", collapse_spaces(text))
            )
            rows.append(f'<dt id="{anchor}"><code>{head}</code></dt><dd>{body}</dd>')
        if rows:
            self._parts.append(f'<dl class="members">{"".join(rows)}</dl>')

    def _heading(self, level: int, title: str, anchor: str, text: str) -> None:
        self._headings.append(Heading(level, title, anchor))
        self._passages.append(Passage(anchor, title, collapse_spaces(text)))
        marked = f' id="{anchor}"' if anchor else ""
        self._parts.append(f"<h{level}{marked}>{html.escape(title)}</h{level}>")

    def _code(self, code: str) -> None:
        shown = coloured(code, "python")
        self._parts.append(f'<pre tabindex="0" class="signature"><code>{shown}</code></pre>')

    def _describe(self, text: str) -> None:
        self._parts.append(self._markdown.render(as_markdown(text)).html)


# ---- descriptions -------------------------------------------------------------------------------


def public_names(module: ModuleType) -> list[str]:
    """Return the names in ``__all__``, else the documented public classes and functions."""
    found = getattr(module, "__all__", None)
    if found is None:
        found = [
            name
            for name, value in vars(module).items()
            if not name.startswith("_")
            and (inspect.isclass(value) or inspect.isfunction(value))
            and value.__module__ == module.__name__
            and described(value)
        ]
    return sorted(found, key=lambda name: (name.lower(), name))


def members(thing: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties of a class, its own first, in source order."""
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
    """Return the docstring, or "" if Python generated it."""
    text = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
    name = getattr(thing, "__name__", "")
    return "" if inspect.isclass(thing) and text.startswith(f"{name}(") else text


def _repeatable(default: Any) -> Any:
    """A default value whose text has no address in memory: two builds must be equal."""
    return ... if " at 0x" in repr(default) else default


def signature(thing: Any, name: str) -> str:
    """Return name and parameters, one parameter per line if the line would be too long."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return name
    parameters = [
        each.replace(annotation=_source_text(each.annotation), default=_repeatable(each.default))
        for each in found.parameters.values()
        if each.name not in ("self", "cls")
    ]
    if getattr(thing, "_is_protocol", False):
        return name
    returned = inspect.Signature.empty
    if not inspect.isclass(thing):
        returned = _source_text(found.return_annotation)
    found = found.replace(parameters=parameters, return_annotation=returned)
    text = _plain_annotation(f"{name}{found}")
    if len(text) <= _WIDEST:
        return text
    lines = [str(each) for each in parameters]
    kinds = [each.kind for each in parameters]
    if _KEYWORD in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        lines.insert(kinds.index(_KEYWORD), "*")
    end = "" if returned is inspect.Signature.empty else f" -> {returned!r}"
    rows = "".join(f"    {line},\n" for line in lines)
    return _plain_annotation(f"{name}(\n{rows}){end}")


def _plain_annotation(text: str) -> str:
    return _FUNCTION.sub(r"\1", text).replace("<factory>", "...")


class _Written:
    """An annotation whose repr is its source text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _source_text(annotation: Any) -> Any:
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
    """Convert a docstring to Markdown: code in single ticks, doctests as code blocks."""

    def block(found: re.Match[str]) -> str:
        return f"```python\n{found[0]}```\n"

    text = _DOCTEST.sub(block, text.replace("``", "`") + "\n")
    return re.sub(r"::\n", ":\n", text)
