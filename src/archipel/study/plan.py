"""Former name of `archipel.study.experiments.plan`; removed in the next release."""

from archipel.rules.deprecation import former_names

__getattr__ = former_names(
    __name__,
    "archipel.study.experiments.plan",
    {"Part": "Part", "Plan": "Plan", "Table": "Table", "Target": "Target", "plan_of": "plan_of"},
)
