"""Write a dataset of Archipel as a dataset of Minari: an episode is one seat's part of a game.

archipel dataset deep-sea --games 100 --bots greedy --to data
pip install "minari[hdf5]"
python examples/learning/to_minari.py data deep-sea/greedy-v0
"""

import sys

import gymnasium
import minari
import numpy
from minari.data_collector import EpisodeBuffer

from archipel.envs import environment_name
from archipel.envs.dataset import Dataset

folder, name = sys.argv[1:]
dataset = Dataset(folder)
seats = dataset.plan.options.seats
episodes: list[EpisodeBuffer] = []
for shard in dataset:
    observations, masks, shares = shard.observations(), shard.masks(), shard.win_shares()
    for game in range(len(shard["game_number"])):
        for seat in range(seats):
            rows = numpy.flatnonzero((shard.games == game) & (shard["seat"] == seat))
            if not len(rows):
                continue
            last = rows == rows[-1]
            # Minari wants an observation after the last action, which no learner uses.
            seen = numpy.append(rows, rows[-1])
            episodes.append(
                EpisodeBuffer(
                    id=len(episodes),
                    observations={"observation": observations[seen], "action_mask": masks[seen]},
                    actions=shard["action"][rows].astype(numpy.int64),
                    rewards=(last * shares[rows]).tolist(),
                    terminations=last.tolist(),
                    truncations=[False] * len(rows),
                )
            )
bots = ", ".join(dataset.plan.bots)
minari.create_dataset_from_buffers(
    name,
    episodes,
    env=gymnasium.make(environment_name(dataset.plan.game), seats=seats),
    algorithm_name=bots,
    requirements=["archipel"],
)
print(f"{name}: {len(episodes)} episodes of {bots}")
