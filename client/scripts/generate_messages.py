"""Write the client's TypeScript that is made from the package: messages and game sentences.

    python client/scripts/generate_messages.py           write the files
    python client/scripts/generate_messages.py --check   fail if a file is not up to date

`src/messages.ts` mirrors `archipel.serve.messages`, class by class, with what it takes from the
tables; `src/sentences/` holds one module per game and language from the games' catalogues, and what
the tables say by themselves.
"""

from __future__ import annotations

import json
import re
import sys
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

CLIENT = Path(__file__).resolve().parent.parent
SOURCE = CLIENT.parent / "src"
RULES = SOURCE / "archipel" / "rules"
TABLES = SOURCE / "archipel" / "tables"
if str(SOURCE) not in sys.path:
    sys.path.insert(0, str(SOURCE))

import msgspec  # noqa: E402
from msgspec import UnsetType  # noqa: E402

from archipel.serve import messages  # noqa: E402

LANGUAGES = ("en", "fr")
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", Any: "unknown"}
NAMED = ("Language", "Colour", "Phrase")
UNIONS = ("FromBrowser", "ToBrowser")


#: Sentences of a game that are needed when one sets it up or asks for help, and not before.
LATER = re.compile(r"(option|choice|refuse|typed)\.|phase\..*\.help$")
#: Sentences that only the board as text uses, in the terminal and at most in some games here.
PICTURE = "picture."


def generated_files() -> dict[Path, str]:
    """Every generated file and what belongs in it."""
    files = {CLIENT / "src" / "messages.ts": messages_module()}
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
    files.update(sentence_modules("tables", catalogue(TABLES), is_told))
    return files


def is_told(key: str) -> bool:
    """Whether a sentence of the tables is for the log, and not for a refusal."""
    return key.startswith(("table.", "phrase."))


# ---- messages -----------------------------------------------------------------------------------


def messages_module() -> str:
    parts = ["// Made by scripts/generate_messages.py from archipel.serve.messages: do not edit."]
    parts += [
        f"export type {name} = {type_text(getattr(messages, name), inside=name)};" for name in NAMED
    ]
    structs = [
        value
        for value in vars(messages).values()
        if isinstance(value, type)
        and issubclass(value, msgspec.Struct)
        and value is not msgspec.Struct
    ]
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
        may_be_left_out = not field.required
        mark = "?" if may_be_left_out else ""
        lines.append(f"  {field.encode_name}{mark}: {type_text(hints[field.name])};")
    return "\n".join([*lines, "}"])


def type_text(hint: Any, inside: str = "") -> str:
    """A Python annotation as a TypeScript type."""
    for name in NAMED:
        if name != inside and hint == getattr(messages, name):
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
    if origin is tuple:
        return f"[{', '.join(map(type_text, arguments))}]"
    if origin is dict:
        return f"Record<string, {type_text(arguments[1])}>"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return hint.__name__
    raise TypeError(f"no TypeScript for {hint!r}")


# ---- sentences ----------------------------------------------------------------------------------


def catalogue(folder: Path) -> dict[str, dict[str, str]]:
    """The sentences of a package by language, the same in each."""
    texts: dict[str, dict[str, str]] = {
        language: json.loads((folder / "text" / f"sentences.{language}.json").read_text("utf-8"))
        for language in LANGUAGES
    }
    for sentences in texts.values():
        if sentences.keys() != texts["en"].keys():
            odd = sorted(sentences.keys() ^ texts["en"].keys())
            raise ValueError(f"{folder.name}: sentences not in every language: {', '.join(odd)}")
    return texts


def sentence_modules(
    name: str, texts: dict[str, dict[str, str]], wanted: Callable[[str], bool]
) -> dict[Path, str]:
    """One module per language, of those sentences whose keys are wanted."""
    return {
        CLIENT / "src" / "sentences" / f"{name}.{language}.ts": sentence_module(
            name, language, {key: text for key, text in sentences.items() if wanted(key)}
        )
        for language, sentences in texts.items()
    }


def sentence_module(game: str, language: str, sentences: dict[str, str]) -> str:
    head = f"// Made by scripts/generate_messages.py from the sentences of {game}: do not edit.\n"
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


def main(arguments: list[str]) -> int:
    stale = []
    for path, text in generated_files().items():
        if path.exists() and path.read_text("utf-8") == text:
            continue
        stale.append(path.relative_to(CLIENT))
        if arguments != ["--check"]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    for path in stale:
        print(f"{'not up to date' if arguments == ['--check'] else 'wrote'}: client/{path}")
    return 1 if stale and arguments == ["--check"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
