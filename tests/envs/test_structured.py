"""The structured form of observations: the same numbers, by node."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy
import pytest

from archipel import Game
from archipel.envs import Batch, spec_of
from archipel.envs.observation_spec import observation_of
from archipel.envs.structured import PLAIN, NoGraphError, graph_of
from tests.envs.needed import needs_torch

GAMES = ("deep-sea", "the-island", "atlantis", "mauna-kea")


def game_after(name: str, seats: int, moves: int) -> Any:
    game = Game.new(name, seats, seed=3)
    for move in range(moves):
        if game.is_over:
            break
        game.play(int(game.legal[move * 7 % len(game.legal)]))
    assert not game.is_over
    return game


def seen(game: Any) -> Any:
    return spec_of(game.name).observe(game.view(game.to_move, recall=True))


@pytest.mark.parametrize("name", GAMES)
def test_every_number_is_somewhere(name: str) -> None:
    """All parts of the flat observation appear, once each, in nodes or globals."""
    graph, spec = graph_of(name), spec_of(name)
    numbered = numpy.arange(spec.size, dtype=numpy.float32)
    used = {part for nodes in graph.nodes for part in nodes.parts}
    taken = [numbered[columns].ravel() for columns in graph._tables.values()]
    found = numpy.concatenate([*taken, numbered[graph._global_columns]])
    assert sorted(found) == list(numbered)
    assert used <= {part.name for part in spec.parts}


@pytest.mark.parametrize("name", GAMES)
def test_neighbours_are_mutual(name: str) -> None:
    graph = graph_of(name)
    pairs = set(map(tuple, graph.edges.T.tolist()))
    assert pairs
    assert pairs == {(b, a) for a, b in pairs}
    assert all(a != b for a, b in pairs)
    assert numpy.allclose(graph.adjacency.sum(1), 1)


def test_pieces_stand_where_they_are() -> None:
    game = game_after("the-island", 3, 150)
    state, shown = (
        game.view(game.to_move, recall=True).state,
        graph_of("the-island").split(seen(game)),
    )
    for name, field in (("explorers", "place"), ("boats", "boat"), ("creatures", "creature")):
        places = getattr(state, field)
        for piece, place in enumerate(places):
            on_board = [place] if place < 133 else []
            assert list(numpy.flatnonzero(shown["at"][name][piece])) == on_board, (name, piece)


def test_sides_are_relative_to_the_observer() -> None:
    game = game_after("atlantis", 3, 90)
    me, shown = game.to_move, graph_of("atlantis").split(seen(game))
    sides = shown["pieces"]["people"][:, -5:-1]  # before the mark
    for person in range(48):
        tribe = person // 12
        assert sides[person].argmax() == (tribe % 3 - me) % 3
        assert sides[person].sum() == 1


def test_divers_of_missing_seats_are_nowhere() -> None:
    game = game_after("deep-sea", 3, 12)
    at = graph_of("deep-sea").split(seen(game))["at"]["divers"]
    state, me = game.state, game.to_move
    for distance in range(6):
        place = state.place[(me + distance) % 3] if distance < 3 else -1
        assert list(numpy.flatnonzero(at[distance])) == ([place] if place >= 0 else [])


def test_chosen_piece_is_marked() -> None:
    game = game_after("atlantis", 2, 60)
    graph = graph_of("atlantis")
    while (chosen := game.state.chosen) < 0 or graph.factors(chosen)[0][0] != "people":
        game.play(int(game.legal[0]))
    ((kind, number),) = graph_of("atlantis").factors(game.state.chosen)
    marks = graph_of("atlantis").split(seen(game))["pieces"][kind][:, -1]
    assert list(numpy.flatnonzero(marks)) == [number]


@pytest.mark.parametrize("name", GAMES)
def test_actions_name_nodes(name: str) -> None:
    graph = graph_of(name)
    for nodes in graph.nodes:
        for number in range(nodes.count) if nodes.action >= 0 else ():
            assert (nodes.name, number) in graph.factors(nodes.action + number)
    assert graph_of("atlantis").factors(spec_of("atlantis").actions - 1) == [
        (PLAIN, spec_of("atlantis").actions - 1)
    ]
    # The names of the actions agree: a2 is a place, and so on.
    names = spec_of("the-island").action_names(7)
    assert names[1] == "a2"
    assert graph_of("the-island").factors(1) == [("places", 1)]


def test_batches_have_a_structured_form() -> None:
    batch = Batch("deep-sea", 3, players=["outside"] * 2, compiled=False)
    batch.reset(1)
    shown = graph_of("deep-sea").split(batch.buffers.obs)
    assert shown["places"].shape[:2] == (3, 43)
    alone = graph_of("deep-sea").split(batch.buffers.obs[1])
    assert numpy.array_equal(shown["places"][1], alone["places"])
    assert shown["globals"].dtype == numpy.float32


@needs_torch
@pytest.mark.parametrize("name", GAMES)
def test_tensors_give_the_same_numbers(name: str) -> None:
    import torch

    obs = numpy.stack([seen(game_after(name, 2, moves)) for moves in (9, 25)])
    arrays, tensors = (graph_of(name).split(each) for each in (obs, torch.from_numpy(obs)))
    for key in ("places", "globals"):
        assert numpy.array_equal(arrays[key], tensors[key].numpy())
    for key in ("pieces", "at"):
        for kind, found in arrays[key].items():
            assert numpy.array_equal(found, tensors[key][kind].numpy())


def test_a_game_without_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = replace(observation_of("deep-sea"), graph=None)
    monkeypatch.setattr("archipel.envs.structured.observation_of", lambda game: plain)
    graph_of.cache_clear()
    with pytest.raises(NoGraphError, match="does not declare"):
        graph_of("deep-sea")
