"""Fit a net to sampled positions with PyTorch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
import torch

from archipel.bots.nets import Net
from archipel.bots.search.search_state import HIDDEN_1, HIDDEN_2
from archipel.study.training.game_batches import Samples

BATCH = 1024
HELD_OUT = 20  # one position in so many


@dataclass(frozen=True)
class FitSettings:
    """How a net is fitted."""

    epochs: int = 6
    learning_rate: float = 2e-3
    #: Weight of the search's values against the outcomes.
    value_weight: float = 0.5
    weight_decay: float = 1e-4


@dataclass(frozen=True)
class FitResult:
    net: Net
    positions: int
    loss: float
    """Mean cross-entropy of the winner on held-out positions."""
    blind: float
    """That of equal chances."""


class NetModule(torch.nn.Module):  # type: ignore[misc]
    """The net of `archipel.bots.nets`, trainable."""

    def __init__(self, inputs: int, seat_counts: int) -> None:
        super().__init__()
        self.bias_1 = torch.nn.Parameter(torch.zeros(seat_counts, HIDDEN_1))
        self.first = torch.nn.Linear(inputs, HIDDEN_1, bias=False)
        self.second = torch.nn.Linear(HIDDEN_1, HIDDEN_2)
        self.last = torch.nn.Linear(HIDDEN_2, 1, bias=False)
        torch.nn.init.kaiming_uniform_(self.first.weight, nonlinearity="relu")
        torch.nn.init.kaiming_uniform_(self.second.weight, nonlinearity="relu")

    def forward(self, inputs: Any, row: int) -> Any:
        """Scores by position and seat, for the number of seats with this row of biases."""
        hidden = torch.relu(self.first(inputs) + self.bias_1[row])
        return self.last(torch.relu(self.second(hidden))).squeeze(-1)

    def load(self, net: Net) -> None:
        """Start from the weights of a net with the same inputs and numbers of seats."""
        left = torch.tensor(net.weights)
        with torch.no_grad():
            for part in self._parts():
                part.copy_(left[: part.numel()].view(part.shape))
                left = left[part.numel() :]

    def net(self, inputs: Sequence[str], seats: Sequence[int]) -> Net:
        flat = torch.cat([part.detach().reshape(-1) for part in self._parts()])
        return Net(tuple(inputs), tuple(seats), tuple(float(each) for each in flat.tolist()))

    def _parts(self) -> list[Any]:
        """The weights in the order of `Net.weights`, which is input by input."""
        return [
            self.bias_1,
            self.first.weight.T,
            self.second.bias,
            self.second.weight.T,
            self.last.weight.view(-1),
        ]


def fit_net(
    samples: Mapping[int, Samples],
    inputs: Sequence[str],
    seats: Sequence[int],
    settings: FitSettings,
    seed: int,
    begin: Net | None = None,
) -> FitResult:
    """Fit a net to samples by number of seats, starting from another net if given."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    module = NetModule(len(inputs), len(seats))
    if begin is not None:
        module.load(begin)
    optimizer = torch.optim.Adam(
        module.parameters(), settings.learning_rate, weight_decay=settings.weight_decay
    )
    generator = numpy.random.default_rng(seed)
    train, test = {}, {}
    for count, found in samples.items():
        held_out = generator.integers(HELD_OUT, size=len(found.movers)) == 0
        train[count], test[count] = _tensors(found, ~held_out), _tensors(found, held_out)
    batches = [
        (count, at) for count, parts in train.items() for at in range(0, len(parts[0]), BATCH)
    ]
    steps = settings.epochs * len(batches)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, settings.learning_rate, total_steps=max(1, steps)
    )
    for _ in range(settings.epochs):
        orders = {
            count: torch.from_numpy(generator.permutation(len(parts[0])))
            for count, parts in train.items()
        }
        generator.shuffle(batches)
        for count, at in batches:
            chosen = orders[int(count)][at : at + BATCH]
            parts = [part[chosen] for part in train[int(count)]]
            loss = _loss(module, seats.index(int(count)), parts, settings.value_weight)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    losses, blind, positions = 0.0, 0.0, 0
    with torch.no_grad():
        for count, parts in test.items():
            tested = len(parts[0])
            if tested:
                losses += tested * float(_loss(module, seats.index(count), parts, 0.0))
                blind += tested * float(numpy.log(count))
                positions += tested
    whole = sum(len(parts[0]) for parts in train.values()) + positions
    positions = max(1, positions)
    return FitResult(module.net(inputs, seats), whole, losses / positions, blind / positions)


def _tensors(samples: Samples, kept: Any) -> list[Any]:
    return [
        torch.from_numpy(numpy.ascontiguousarray(part[kept]))
        for part in (samples.inputs, samples.shares, samples.movers, samples.values)
    ]


def _loss(module: NetModule, row: int, parts: Sequence[Any], value_weight: float) -> Any:
    """Cross-entropy with the outcomes, mixed with that of the mover's chance with the values."""
    inputs, shares, movers, values = parts
    logs = torch.log_softmax(module(inputs, row), dim=1)
    by_outcome = -(shares * logs).sum(dim=1)
    if value_weight == 0.0:
        return by_outcome.mean()
    own = logs.gather(1, movers[:, None]).squeeze(1)
    others = torch.log1p(-own.exp().clamp(max=1 - 1e-6))
    target = values.clamp(0.0, 1.0)
    by_value = -(target * own + (1 - target) * others)
    weight = value_weight * (values >= 0.0)
    return ((1 - weight) * by_outcome + weight * by_value).mean()
