"""The convention by which a game's modules make its `Definition`.

Each part of a definition stands under its name in the module that `CONVENTION` says.  A game whose
chapters are cut otherwise says where they are: ``end="round_end"``, or several modules that hold
the parts of one together.  `docs/architecture.md` tells what each module is for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar

from archipel.rules.contract import Definition

S = TypeVar("S")

#: Module by module, the parts of a definition and the names they have there.
CONVENTION: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "definition": {
            "rules_version": "RULES_VERSION",
            "options": "OPTIONS",
            "check_options": "check_options",
            "blank": "blank",
            "read_options": "read_options",
            "ending": "ending",
            "reveals": "reveals",
        },
        "components": {"fewest_seats": "FEWEST_SEATS", "most_seats": "MOST_SEATS"},
        "state": {
            "state": "State",
            "actions": "ACTIONS",
            "most_legal": "MOST_LEGAL",
            "to_move": "seat_to_move",
        },
        "setup": {"set_up": "set_up"},
        "turn": {"legal": "legal", "apply": "apply"},
        "end": {"score": "score", "rank": "rank"},
        "knowledge": {"view": "view", "deal_unseen": "deal_unseen"},
        "invariants": {"fault": "fault", "faults": "FAULTS"},
        "notation": {
            "action_text": "action_text",
            "parse_action": "parse_action",
            "outcomes_text": "outcomes_text",
            "parse_outcomes": "parse_outcomes",
        },
        "position": {"position_text": "position_text", "parse_position": "parse_position"},
        "refusals": {"refusal": "refusal"},
        "narration": {"narrate": "narrate"},
        "question": {"question": "question"},
        "picture": {"picture": "picture"},
        "drawing": {"drawing": "drawing"},
        "scene": {"scene": "scene"},
    }
)

#: What a game may leave out: it is taken where it stands.
OPTIONAL: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "definition": {"ran_out": "ran_out"},
        "knowledge": {
            "recall": "recall",
            "forget": "forget",
            "forgets": "forgets",
            "sees": "sees",
            "veiled": "veiled",
        },
        "scene": {"scene_beside": "scene_beside"},
        "hopes": {"hopes": "HOPES", "hoped": "hoped"},
        "looking": {"position": "Position"},
        "observation": {"observation": "OBSERVATION"},
        "course": {"course": "COURSE"},
    }
)

Modules = str | tuple[str, ...]


class DefinitionError(TypeError):
    """A part of a game does not stand where it should."""


def define(
    name: str, definition: str, state: type[S], /, *, board: str = "", **modules: Modules
) -> Definition[S]:
    """The definition of a game, from the modules beside the one that calls this.

    ``definition`` is that module's ``__name__``.  ``modules`` tells, by the name that the
    convention has for a module, what this game calls it.
    """
    unknown = sorted(set(modules) - set(CONVENTION) - set(OPTIONAL))
    if unknown:
        raise DefinitionError(f"{name}: the convention knows no module {unknown[0]}")
    package, _, own = definition.rpartition(".")
    names = {"definition": own, **modules}
    parts: dict[str, Any] = {}
    for module, held in CONVENTION.items():
        where = list(_imported(name, package, names.get(module, module)))
        for part, called in held.items():
            parts[part] = _found(name, where, called)
    for module, held in OPTIONAL.items():
        if module in names or find_spec(f"{package}.{module}"):
            where = list(_imported(name, package, names.get(module, module)))
            for part, called in held.items():
                if any(called in vars(found) for found in where):
                    parts[part] = _found(name, where, called)
    if parts["state"] is not state:
        raise DefinitionError(f"{name}: {parts['state'].__module__}.State is not the state given")
    seats = range(parts.pop("fewest_seats"), parts.pop("most_seats") + 1)
    return Definition(name=name, package=package, board=board, seats=seats, **parts)


def _imported(game: str, package: str, modules: Modules) -> Iterator[ModuleType]:
    for module in (modules,) if isinstance(modules, str) else modules:
        path = f"{package}.{module}"
        try:
            yield import_module(path)
        except ModuleNotFoundError as error:
            if error.name != path:
                raise
            raise DefinitionError(f"{game}: there is no module {path}") from None


def _found(game: str, modules: list[ModuleType], name: str) -> Any:
    for module in modules:
        if name in vars(module):
            return vars(module)[name]
    places = " or ".join(module.__name__ for module in modules)
    raise DefinitionError(f"{game}: {places} has no {name}")
