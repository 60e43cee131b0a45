"""Former name of `archipel.rules.metrics`."""

from archipel.rules.deprecation import former_names

_SAME = ("TURNS", "ROUNDS_BEGUN", "SURVIVORS", "OWN", "WHOLE_GAME", "Place")
__getattr__ = former_names(
    __name__, "archipel.rules.metrics", {"Course": "Metrics", **{name: name for name in _SAME}}
)
