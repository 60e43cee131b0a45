"""Environments for machines that learn: the games as Gymnasium, PettingZoo and OpenSpiel have them.

`LearnerEnv` and `LearnerVectorEnv` (Gymnasium) pit one learner against bots, `TurnsEnv`
(PettingZoo) asks every seat, `archipel.envs.spiel` registers the games with OpenSpiel, and `Batch`
is what they stand on: thousands of games in one call, over arrays.  Importing this registers the
names of the environments with Gymnasium where that is installed.
"""

from importlib.util import find_spec

from archipel.envs.batch import Batch, Buffers
from archipel.envs.names import environment_name, environment_names
from archipel.envs.spec import ObservationSpec, spec_of

__all__ = [
    "Batch",
    "Buffers",
    "ObservationSpec",
    "environment_name",
    "environment_names",
    "spec_of",
]

if find_spec("gymnasium") is not None:
    from archipel.envs.learner import LearnerEnv, LearnerVectorEnv
    from archipel.envs.registering import register_all

    __all__ += ["LearnerEnv", "LearnerVectorEnv"]
    register_all()
    if find_spec("pettingzoo") is not None:
        from archipel.envs.turns import TurnsEnv

        __all__ += ["TurnsEnv"]
