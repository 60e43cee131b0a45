"""Generate the client's TypeScript from the Python package, into `client/src/generated`.

    python client/scripts/generate_typescript.py

`messages.ts` declares one interface per class of the modules in `MODULES`. `sentences/` has
one module per game and language with the game's sentences, and one per language with those of the
tables. `arithmetic.ts` is a translation of `archipel.analysis.arithmetic`. `engine_sizes.ts` has
the constants that the engine shares with `archipel.bots`. Every client script (`npm run build`,
`npm test`, ...) runs this first.
"""

from __future__ import annotations

import json
import re
import sys
import types
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

CLIENT = Path(__file__).resolve().parent.parent
GENERATED = CLIENT / "src" / "generated"
SOURCE = CLIENT.parent / "src"
RULES = SOURCE / "archipel" / "rules"
TABLES = SOURCE / "archipel" / "tables"
ARITHMETIC = SOURCE / "archipel" / "analysis" / "arithmetic.py"
BOTS = SOURCE / "archipel" / "bots"
#: Constants of the engine, by their Python module: name in Python and in TypeScript.
ENGINE_SIZES = {
    BOTS / "search" / "search_state.py": {
        "MOST_CANDIDATES": "MOST_CANDIDATES",
        "MOST_FEATURES": "MOST_FEATURES",
        "MOST_SEATS": "MOST_SEATS",
        "MOST_WEIGHTS": "MOST_WEIGHTS",
    },
    BOTS / "search" / "seq_halving.py": {"STATES": "SEARCH_STATES", "PARTS": "SUM_PARTS"},
    BOTS / "engine" / "engine_program.py": {"COLUMNS": "STATISTICS_COLUMNS"},
    BOTS / "rollouts.py": {"STATES": "ROLLOUT_STATES", "PLAYED": "PLAYED", "WIN": "WIN"},
    RULES / "play_out.py": {"MAX_DECISIONS": "MAX_DECISIONS"},
}
for folder in (SOURCE, CLIENT.parent):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

import msgspec  # noqa: E402
from msgspec import UnsetType  # noqa: E402

from archipel.clubs import messages as clubs  # noqa: E402
from archipel.notices import messages as notices  # noqa: E402
from archipel.profiles import messages as profiles  # noqa: E402
from archipel.rules import scene  # noqa: E402
from archipel.serve.api import messages  # noqa: E402
from archipel.tables import commands, problems  # noqa: E402
from archipel.tables.publishing import payloads  # noqa: E402
from client.scripts.python_to_typescript import typescript  # noqa: E402

LANGUAGES = ("en", "fr")
PLAIN = {
    str: "string",
    bytes: "string",  # base64
    int: "number",
    float: "number",
    bool: "boolean",
    Any: "unknown",
}
NAMED = {"Language": messages.Language, "Colour": commands.Colour, "Phrase": commands.Phrase}
#: The modules that define messages and their parts.
MODULES = (commands, problems, scene, payloads, messages, profiles, notices, clubs)
UNIONS = ("FromBrowser", "ToBrowser")


#: Keys of the sentences that a page needs only to set up a game or to show help: loaded later.
LATER = re.compile(r"(option|choice|refuse|typed)\.|phase\..*\.help$")
#: Keys of the sentences of the text board. Few games show it in the browser.
PICTURE = "picture."


def generated_files() -> dict[Path, str]:
    """Return the content of every generated file, by path."""
    files = {
        GENERATED / "messages.ts": messages_module(),
        GENERATED / "arithmetic.ts": typescript(ARITHMETIC.read_text("utf-8"), ARITHMETIC.name),
        GENERATED / "engine_sizes.ts": engine_sizes_module(),
    }
    for game in sorted(texts.parent for texts in RULES.glob("*/text")):
        name = game.name.replace("_", "-")
        sources = CLIENT / "src" / "games" / name
        if not sources.is_dir():
            continue
        pictures = any(PICTURE in path.read_text("utf-8") for path in sources.glob("*.ts"))
        texts = {
            language: {
                key: text
                for key, text in sentences.items()
                if pictures or not key.startswith(PICTURE)
            }
            for language, sentences in catalogue(game).items()
        }
        files.update(sentence_modules(name, texts, lambda key: not LATER.match(key)))
        files.update(sentence_modules(f"{name}.later", texts, lambda key: bool(LATER.match(key))))
    files.update(sentence_modules("tables", catalogue(TABLES), is_logged))
    return files


def is_logged(key: str) -> bool:
    """Whether a sentence of the tables appears in the log (others are error messages)."""
    return key.startswith(("table.", "phrase."))


def engine_sizes_module() -> str:
    """Read the constants from the source, because a build has no compiler to import the bots."""
    lines = ["// Generated from archipel.bots by generate_typescript.py: do not edit."]
    for path, names in ENGINE_SIZES.items():
        source = path.read_text("utf-8")
        for name, exported in names.items():
            found = re.search(rf"^{name}: Final = ([0-9_]+)", source, re.MULTILINE)
            if found is None:
                raise SystemExit(f"{path.name} has no number {name}")
            lines.append(f"export const {exported} = {found[1]};")
    return "\n".join(lines) + "\n"


# ---- messages -----------------------------------------------------------------------------------


def messages_module() -> str:
    parts = [
        "// Generated from archipel.serve.api.messages by generate_typescript.py: do not edit."
    ]
    parts += [
        f"export type {name} = {type_text(hint, inside=name)};" for name, hint in NAMED.items()
    ]
    structs = {
        value: None
        for module in MODULES
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, msgspec.Struct)
        and value is not msgspec.Struct
        and not value.__name__.startswith("_")
    }
    parts += [interface(struct) for struct in structs]
    for name in UNIONS:
        members = "\n".join(
            f"  | {member.__name__}" for member in get_args(getattr(messages, name))
        )
        parts.append(f"export type {name} =\n{members};")
    return "\n\n".join(parts) + "\n"


def interface(struct: type[msgspec.Struct]) -> str:
    hints = typing.get_type_hints(struct, include_extras=True)
    lines = [f"export interface {struct.__name__} {{"]
    tag = struct.__struct_config__.tag
    if tag is not None:
        lines.append(f"  type: {json.dumps(tag)};")
    for field in msgspec.structs.fields(struct):
        # The server always sends every field of a scene, also those that games may leave out.
        mark = "" if field.required or struct.__module__ == scene.__name__ else "?"
        lines.append(f"  {field.encode_name}{mark}: {type_text(hints[field.name])};")
    return "\n".join([*lines, "}"])


def type_text(hint: Any, inside: str = "") -> str:
    """Translate a Python annotation to a TypeScript type."""
    for name, named in NAMED.items():
        if name != inside and hint == named:
            return name
    if hint in PLAIN:
        return PLAIN[hint]
    if hint is type(None):
        return "null"
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return type_text(arguments[0])
    if origin is Literal:
        return " | ".join(json.dumps(argument) for argument in arguments)
    if origin in (typing.Union, types.UnionType):
        kept = [type_text(argument) for argument in arguments if argument is not UnsetType]
        return " | ".join(dict.fromkeys(kept))
    if origin is list:
        inner = type_text(arguments[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin is tuple and arguments[-1] is ...:
        return f"{type_text(arguments[0])}[]"
    if origin is tuple:
        return f"[{', '.join(map(type_text, arguments))}]"
    if origin in (dict, Mapping):
        return f"Record<string, {type_text(arguments[1])}>"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return hint.__name__
    raise TypeError(f"no TypeScript for {hint!r}")


# ---- sentences ----------------------------------------------------------------------------------


def catalogue(folder: Path) -> dict[str, dict[str, str]]:
    """Read the sentences of a package by language.

    Raises ValueError if a key is missing in one language.
    """
    texts: dict[str, dict[str, str]] = {
        language: json.loads((folder / "text" / f"sentences.{language}.json").read_text("utf-8"))
        for language in LANGUAGES
    }
    for sentences in texts.values():
        if sentences.keys() != texts["en"].keys():
            odd = sorted(sentences.keys() ^ texts["en"].keys())
            raise ValueError(f"{folder.name}: not translated in every language: {', '.join(odd)}")
    return texts


def sentence_modules(
    name: str, texts: dict[str, dict[str, str]], wanted: Callable[[str], bool]
) -> dict[Path, str]:
    """Return one module per language, with the sentences whose keys are wanted."""
    return {
        GENERATED / "sentences" / f"{name}.{language}.ts": sentence_module(
            name, language, {key: text for key, text in sentences.items() if wanted(key)}
        )
        for language, sentences in texts.items()
    }


def sentence_module(game: str, language: str, sentences: dict[str, str]) -> str:
    head = (
        "// Generated by scripts/generate_typescript.py from the sentences of "
        f"{game}: do not edit.\n"
    )
    lines = [
        f"  {json.dumps(key)}: {json.dumps(text, ensure_ascii=False)},"
        for key, text in sentences.items()
    ]
    body = "\n".join(lines)
    if language == "en":
        return f"{head}const sentences = {{\n{body}\n}};\nexport default sentences;\n"
    return (
        f'{head}import type en from "./{game}.en";\n'
        f"const sentences: typeof en = {{\n{body}\n}};\nexport default sentences;\n"
    )


def write_generated_files() -> None:
    """Write the files that changed and delete those that are no longer generated.

    Unchanged files keep their modification time, so that a running `vite` does not reload.
    """
    files = generated_files()
    for path in GENERATED.rglob("*.ts"):
        if path not in files:
            path.unlink()
    for path, text in files.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    write_generated_files()
