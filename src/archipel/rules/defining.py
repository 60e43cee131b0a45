"""Make a game's `Definition` from its modules.

`CONVENTION` names the module of each part.  A game whose modules are named otherwise passes the
names: ``end="round_end"``, or a tuple of several modules that hold the parts together.
`docs/architecture.md` describes the modules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar

from archipel.rules.booklet import load_booklet
from archipel.rules.contract import Definition
from archipel.rules.defaults import fill_in
from archipel.rules.deprecation import warn_renamed

S = TypeVar("S")


def _parts(**names: str) -> Mapping[str, Mapping[str, str]]:
    """By module: the parts of a definition, and their names in the module.

    A part is a field of `Definition` named like it in lower case, or else as in ``part:name``.
    """
    modules = {}
    for module, text in names.items():
        pairs = [word.rpartition(":") for word in text.split()]
        modules[module] = {part or name.lower(): name for part, _, name in pairs}
    return MappingProxyType(modules)


#: Parts that every game has.
CONVENTION = _parts(
    definition="RULES_VERSION OPTIONS check_options blank read_options ending reveals",
    components="FEWEST_SEATS MOST_SEATS",
    state="State ACTIONS MOST_LEGAL to_move:seat_to_move",
    setup="set_up",
    turn="legal apply",
    end="score rank",
    knowledge="view deal_unseen",
    invariants="fault FAULTS",
    notation="action_text parse_action",
    refusals="refusal",
    question="question",
    scene="scene",
)

#: Parts with a default (see `archipel.rules.defaults`); the two of a pair go together.
WITH_DEFAULTS = _parts(
    notation="outcomes_text parse_outcomes",
    position="position_text parse_position",
    narration="narrate",
    picture="picture",
    drawing="drawing",
)

#: Parts that a game may leave out.
OPTIONAL = _parts(
    definition="ran_out PLANS",
    notation="PIECE_LETTERS",
    knowledge="recall forget forgets sees veiled",
    scene="scene_beside",
    goals="GOALS goal_status",
    equal_pieces="renumber",
    accessors="Position",
    observation="OBSERVATION",
    position="position_table:POSITION",
    metrics="METRICS",
)

#: Former names of optional modules and of their parts.
FORMER_MODULES: Mapping[str, str] = MappingProxyType(
    {"hopes": "goals", "looking": "accessors", "course": "metrics"}
)
FORMER_PARTS: Mapping[str, str] = MappingProxyType(
    {"GOALS": "HOPES", "goal_status": "hoped", "METRICS": "COURSE"}
)

Modules = str | tuple[str, ...]


class DefinitionError(TypeError):
    """A part of a game is missing from its module."""


def define(
    name: str, definition: str, state: type[S], /, *, board: str = "", **modules: Modules
) -> Definition[S]:
    """Make the definition of a game from the modules beside the one that calls this.

    ``definition`` is the calling module's ``__name__``.  ``modules`` names the modules that differ
    from the convention.
    """
    for former, module in FORMER_MODULES.items():
        if former in modules:
            warn_renamed(f"define(..., {former}=...)", f"{module}=...")
            modules[module] = modules.pop(former)
    unknown = sorted(set(modules) - {*CONVENTION, *WITH_DEFAULTS, *OPTIONAL})
    if unknown:
        raise DefinitionError(f"{name}: the convention knows no module {unknown[0]}")
    package, _, own = definition.rpartition(".")
    found = _Modules(name, package, {"definition": own, **modules})
    parts: dict[str, Any] = {}
    for module, held in CONVENTION.items():
        parts |= {part: found.required(module, called) for part, called in held.items()}
    for module, held in WITH_DEFAULTS.items():
        named = module in modules and module not in CONVENTION
        if named or any(found.has(module, called) for called in held.values()):
            parts |= {part: found.required(module, called) for part, called in held.items()}
    for former, module in FORMER_MODULES.items():
        if module not in modules and find_spec(f"{package}.{former}"):
            warn_renamed(f"module {package}.{former}", f"{package}.{module}")
            found.names[module] = former
    for module, held in OPTIONAL.items():
        for part, called in held.items():
            for known_as in (called, FORMER_PARTS.get(called, called)):
                if part not in parts and found.has(module, known_as):
                    parts[part] = found.required(module, known_as)
    fill_in(parts, lambda language: load_booklet(package, language).title)
    if parts["state"] is not state:
        raise DefinitionError(f"{name}: {parts['state'].__module__}.State is not the state given")
    seats = range(parts.pop("fewest_seats"), parts.pop("most_seats") + 1)
    return Definition(name=name, package=package, board=board, seats=seats, **parts)


@dataclass
class _Modules:
    """The modules of a game by their conventional names."""

    game: str
    package: str
    names: dict[str, Modules]

    def required(self, module: str, name: str) -> Any:
        modules = self._imported(module)
        for each in modules:
            if name in vars(each):
                return vars(each)[name]
        places = " or ".join(each.__name__ for each in modules)
        raise DefinitionError(f"{self.game}: {places} has no {name}")

    def has(self, module: str, name: str) -> bool:
        if module not in self.names and not find_spec(f"{self.package}.{module}"):
            return False
        return any(name in vars(each) for each in self._imported(module))

    def _imported(self, module: str) -> list[ModuleType]:
        called = self.names.get(module, module)
        found = []
        for each in (called,) if isinstance(called, str) else called:
            path = f"{self.package}.{each}"
            try:
                found.append(import_module(path))
            except ModuleNotFoundError as error:
                if error.name != path:
                    raise
                raise DefinitionError(f"{self.game}: there is no module {path}") from None
        return found
