"""Reinforcement-learning environments for Gymnasium, PettingZoo and OpenSpiel.

`LearnerEnv` and `LearnerVectorEnv` (Gymnasium) have one learner against bots; in `TurnsEnv`
(PettingZoo) every seat is an agent; `archipel.envs.spiel` registers the games with OpenSpiel.  All
are based on `Batch`: parallel games over arrays.  Importing this package registers the environments
with Gymnasium if it is installed.
"""

from importlib.util import find_spec

from archipel.envs.batch import Batch, Buffers
from archipel.envs.observation_spec import (
    ObservationSpec,
    environment_name,
    environment_names,
    spec_of,
)
from archipel.envs.structured import NoGraphError, ObservationGraph, graph_of

__all__ = [
    "Batch",
    "Buffers",
    "NoGraphError",
    "ObservationGraph",
    "ObservationSpec",
    "environment_name",
    "environment_names",
    "graph_of",
    "spec_of",
]

if find_spec("gymnasium") is not None:
    from archipel.envs.gymnasium_envs import LearnerEnv, LearnerVectorEnv, register_all

    __all__ += ["LearnerEnv", "LearnerVectorEnv"]
    register_all()
    if find_spec("pettingzoo") is not None:
        from archipel.envs.pettingzoo_envs import TurnsEnv

        __all__ += ["TurnsEnv"]
