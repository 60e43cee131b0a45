"""The structured form of an observation: a graph of places, the pieces on it, and the rest.

It is computed from the flat vector, from the declarations of `archipel.rules.kit.core.observations`
alone, for NumPy arrays and PyTorch tensors of any leading shape, on the CPU and on a GPU.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

import numpy
from numpy.typing import NDArray

from archipel.envs.observation_spec import ObservationSpec, observation_of, spec_of
from archipel.rules.all_games import game_named
from archipel.rules.kit.core.observations import Graph, Nodes, Part

PLACES: Final = "places"
PIECES: Final = "pieces"
GLOBALS: Final = "globals"
AT: Final = "at"

#: The kind of actions that choose no node.
PLAIN: Final = "plain"


class NoGraphError(ValueError):
    """A game does not declare the graph of its board."""


@dataclass(frozen=True)
class ObservationGraph:
    """The graph of a game's observations.

    `split` returns the features of the places (..., places, features), of the pieces by kind
    (..., count, features), where the pieces are, and everything else as one vector.
    """

    spec: ObservationSpec
    graph: Graph
    most_seats: int

    @property
    def places(self) -> int:
        return self.graph.places.count

    @cached_property
    def edges(self) -> NDArray[numpy.int64]:
        """(2, edges): pairs of neighbouring places, in both directions."""
        pairs = [(a, b) for a, near in enumerate(self.graph.neighbours) for b in near]
        return numpy.array(pairs, numpy.int64).T

    @cached_property
    def adjacency(self) -> NDArray[numpy.float32]:
        """(places, places): 1 / number of neighbours for neighbours, else 0."""
        found = numpy.zeros((self.places, self.places), numpy.float32)
        for place, near in enumerate(self.graph.neighbours):
            found[place, list(near)] = 1 / max(1, len(near))
        return found

    @property
    def nodes(self) -> tuple[Nodes, ...]:
        """The places, then the pieces by kind."""
        return (self.graph.places, *self.graph.pieces)

    def factors(self, action: int) -> list[tuple[str, int]]:
        """The things that an action may mean, by phase: the kind of node and its number.

        A move is made of stages, each of which chooses one factor: first a piece, then its place.
        The piece chosen first is marked in the observation. Actions that choose no node are
        ``("plain", action)``.
        """
        found = [
            (nodes.name, action - nodes.action)
            for nodes in self.nodes
            if nodes.action >= 0 and 0 <= action - nodes.action < nodes.count
        ]
        return found or [(PLAIN, action)]

    def split(self, obs: Any) -> dict[str, Any]:
        """The structured form of observations: arrays of the kind that is given.

        ``places``, ``globals``, ``pieces`` by kind, and ``at`` by kind: 1 for the place of each
        piece (..., count, places).
        """
        pieces = {nodes.name: self._features(nodes, obs) for nodes in self.graph.pieces}
        at = {nodes.name: self._at(nodes, obs) for nodes in self.graph.pieces}
        places = [self._features(self.graph.places, obs)]
        for name, where in at.items():
            if where is not None:
                places.append(_turned(where) @ pieces[name])
        return {
            PLACES: _joined(places),
            PIECES: pieces,
            AT: {name: where for name, where in at.items() if where is not None},
            GLOBALS: obs[..., _like(obs, self._global_columns)],
        }

    @cached_property
    def _parts(self) -> dict[str, Part]:
        return {part.name: part for part in self.spec.parts}

    def _columns(self, nodes: Nodes) -> NDArray[numpy.int64]:
        """(count, features): where in the flat vector the features of each node are."""
        found = []
        for name in nodes.parts:
            part = self._parts[name]
            entries = numpy.arange(part.offset, part.offset + part.size)
            found.append(entries.reshape(nodes.count, -1))
        return numpy.concatenate(found, axis=1)

    @cached_property
    def _global_columns(self) -> NDArray[numpy.int64]:
        used = {name for nodes in self.nodes for name in nodes.parts}
        parts = [part for part in self.spec.parts if part.name not in used]
        return numpy.concatenate([numpy.arange(p.offset, p.offset + p.size) for p in parts])

    @cached_property
    def _tables(self) -> dict[str, NDArray[numpy.int64]]:
        return {nodes.name: self._columns(nodes) for nodes in self.nodes}

    def _features(self, nodes: Nodes, obs: Any) -> Any:
        found = [obs[..., _like(obs, self._tables[nodes.name])]]
        one = obs[..., :1, None] * 0 + 1
        if nodes.kinds:
            kinds = numpy.eye(max(nodes.kinds) + 1, dtype=numpy.float32)[list(nodes.kinds)]
            found.append(one * _like(obs, kinds))
        if nodes.sides:
            found.append(self._relative_sides(nodes, obs) * one)
        for mark in self.graph.marks:
            if mark.nodes == nodes.name:
                first = self._parts[mark.part].offset + mark.channel
                found.append(_one_hot(obs, first, nodes.count)[..., None])
        return _joined(found)

    def _relative_sides(self, nodes: Nodes, obs: Any) -> Any:
        """Whose each piece is: the observer's first, then to the left."""
        most = self.most_seats
        me = (obs[..., :most] * _like(obs, numpy.arange(most, dtype=numpy.float32))).sum(-1)
        seats = obs[..., self._parts["seats"].offset] * most
        sides = _like(obs, numpy.array(nodes.sides, numpy.float32))
        owner = _remainder(sides, seats[..., None])
        distance = _remainder(owner - me[..., None] + seats[..., None], seats[..., None])
        return _equal(obs, distance[..., None], numpy.arange(most, dtype=numpy.float32))

    def _at(self, nodes: Nodes, obs: Any) -> Any:
        """(..., count, places): 1 where each piece is; None if pieces of a kind have no place."""
        if isinstance(nodes.at, tuple):
            if not nodes.at:
                return None
            there = numpy.eye(self.places, dtype=numpy.float32)[list(nodes.at)]
            return (obs[..., :1, None] * 0 + 1) * _like(obs, there)
        part = self._parts[nodes.at]
        entries = numpy.arange(part.offset, part.offset + part.size).reshape(nodes.count, -1)
        numbers = numpy.arange(self.places, dtype=numpy.float32)
        if entries.shape[1] == 1:  # a `Number`: the place of each seat, negative off the board
            which = obs[..., _like(obs, entries[:, 0])] * self.places
            seats = obs[..., self._parts["seats"].offset, None, None] * self.most_seats
            order = _like(obs, numpy.arange(nodes.count, dtype=numpy.float32)[:, None])
            taken = _as_numbers(obs, order + numpy.float32(0.5) < seats)
            return _equal(obs, which[..., None], numbers) * taken
        there = obs[..., _like(obs, entries[:, 0])]
        which = obs[..., _like(obs, entries[:, 1])] * self.places - 1
        return _equal(obs, which[..., None], numbers) * there[..., None]


def _like(obs: Any, array: NDArray[Any]) -> Any:
    """A constant on the device of the observations."""
    if isinstance(obs, numpy.ndarray):
        return array
    return _on_device(_Constant(array), str(obs.device))


@dataclass(frozen=True)
class _Constant:
    """An array as a key of the cache below."""

    array: NDArray[Any]

    def _content(self) -> tuple[Any, ...]:
        return self.array.shape, str(self.array.dtype), self.array.tobytes()

    def __hash__(self) -> int:
        return hash(self._content())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Constant) and self._content() == other._content()


@cache
def _on_device(constant: _Constant, device: str) -> Any:
    import torch

    return torch.as_tensor(constant.array, device=device)


def _one_hot(obs: Any, first: int, count: int) -> Any:
    """(..., count): 1 for the node that two channels name."""
    which = obs[..., first + 1 : first + 2] * count - 1
    numbers = numpy.arange(count, dtype=numpy.float32)
    return _equal(obs, which, numbers) * obs[..., first : first + 1]


def _equal(obs: Any, values: Any, numbers: NDArray[Any]) -> Any:
    """1 where rounded values are these numbers, else 0."""
    return _as_numbers(obs, abs(values - _like(obs, numbers)) < numpy.float32(0.5))


def _as_numbers(obs: Any, truth: Any) -> Any:
    return truth.astype(obs.dtype) if isinstance(obs, numpy.ndarray) else truth.to(obs.dtype)


def _remainder(values: Any, divisor: Any) -> Any:
    """Remainder of small whole numbers as floats."""
    return values - divisor * ((values + numpy.float32(0.5)) // divisor)


def _turned(matrix: Any) -> Any:
    return matrix.swapaxes(-1, -2)


def _joined(arrays: list[Any]) -> Any:
    if isinstance(arrays[0], numpy.ndarray):
        return numpy.concatenate(arrays, axis=-1)
    import torch

    return torch.cat(arrays, dim=-1)


@cache
def graph_of(game: str) -> ObservationGraph:
    """The graph of a game's observations; raises `NoGraphError` or `UnknownGameError`."""
    definition = game_named(game)
    graph = observation_of(definition.name).graph
    if graph is None:
        raise NoGraphError(f"{definition.name} does not declare the graph of its board")
    return ObservationGraph(spec_of(definition.name), graph, definition.seats[-1])
