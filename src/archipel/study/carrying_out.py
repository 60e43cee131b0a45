"""Former name of `archipel.study.experiments.run_plan`; removed in the next release."""

from archipel.rules.deprecation import former_names

__getattr__ = former_names(
    __name__,
    "archipel.study.experiments.run_plan",
    {"carry_out": "run_plan", "StudyError": "StudyError", "read_summary": "read_summary"},
)
