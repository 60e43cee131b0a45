"""Networks: a plain one over the flat observation, and one over the graph of the board."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from archipel.envs.structured import AT, GLOBALS, PIECES, PLACES, ObservationGraph

#: Rounds of messages between neighbouring places.
ROUNDS = 3

ROOT_2 = 2**0.5


def linear(inputs: int, outputs: int, gain: float, chance: Any) -> Any:
    """A layer with orthogonal weights."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain, generator=chance)
    nn.init.zeros_(layer.bias)
    return layer


def flat_network(obs_size: int, hidden_size: int, outputs: int, last: float, chance: Any) -> Any:
    """Two hidden layers over the flat observation; ``last`` is the gain of the last layer."""
    sizes = (obs_size, hidden_size), (hidden_size, hidden_size), (hidden_size, outputs)
    gains = ROOT_2, ROOT_2, last
    layers = [linear(*size, gain, chance) for size, gain in zip(sizes, gains, strict=True)]
    return nn.Sequential(layers[0], nn.Tanh(), layers[1], nn.Tanh(), layers[2])


class GraphNetwork(nn.Module):
    """Message passing between neighbouring places (Gilmer et al. 2017).

    Pieces add their features to their places and read the result from there. An actor scores an
    action by the node that it names, so what it learns about one place or piece holds for all.
    """

    def __init__(
        self, graph: ObservationGraph, hidden_size: int, outputs: int, last: float, chance: Any
    ) -> None:
        """``outputs`` are the actions of an actor; 1 for the value of a critic."""
        super().__init__()
        self._graph = graph
        shown = graph.split(torch.zeros(1, graph.spec.size))
        size = hidden_size
        self.from_globals = linear(shown[GLOBALS].shape[-1], size, ROOT_2, chance)
        self.from_places = linear(shown[PLACES].shape[-1], size, ROOT_2, chance)
        self.own = nn.ModuleList(linear(size, size, ROOT_2, chance) for _ in range(ROUNDS))
        self.near = nn.ModuleList(linear(size, size, 1.0, chance) for _ in range(ROUNDS))
        self.from_pieces = nn.ModuleDict(
            {
                name: linear(features.shape[-1], size, ROOT_2, chance)
                for name, features in shown[PIECES].items()
            }
        )
        self.pooled = linear(size * (3 + len(shown[PIECES])), size, ROOT_2, chance)
        self.plain = linear(size, outputs, last, chance)
        self.choosing = nn.ModuleDict(
            {
                nodes.name: linear(size, 1, last, chance)
                for nodes in graph.nodes
                if outputs > 1 and nodes.action >= 0
            }
        )
        adjacency = torch.from_numpy(graph.adjacency).to_sparse_coo().coalesce()
        self.register_buffer("adjacency", adjacency, persistent=False)

    def forward(self, obs: Any) -> Any:
        graph = self._graph
        shown = graph.split(obs)
        overall = torch.relu(self.from_globals(shown[GLOBALS]))
        places = torch.relu(self.from_places(shown[PLACES]) + overall[..., None, :])
        for own, near in zip(self.own, self.near, strict=True):
            places = places + torch.relu(own(places) + self._mean_of_neighbours(near(places)))
        nodes = {graph.graph.places.name: places}
        for name, features in shown[PIECES].items():
            found = self.from_pieces[name](features) + overall[..., None, :]
            if name in shown[AT]:
                found = found + shown[AT][name] @ places
            nodes[name] = torch.relu(found)
        pools = [overall, places.mean(-2), places.amax(-2)]
        pools += [nodes[name].mean(-2) for name in shown[PIECES]]
        context = torch.relu(self.pooled(torch.cat(pools, dim=-1)))
        found = self.plain(context)
        for each in graph.nodes:
            if each.name in self.choosing:
                scored = self.choosing[each.name](nodes[each.name] * (1 + context[..., None, :]))
                padding = each.action, found.shape[-1] - each.action - each.count
                found = found + nn.functional.pad(scored.squeeze(-1), padding)
        return found

    def _mean_of_neighbours(self, places: Any) -> Any:
        """For each place the mean of its neighbours, by a sparse product."""
        rows = places.movedim(-2, 0)
        return torch.sparse.mm(self.adjacency, rows.flatten(1)).view(rows.shape).movedim(0, -2)
