"""Former name of `archipel.study.executors.executor`; removed in the next release."""

from archipel.rules.deprecation import former_names

__getattr__ = former_names(
    __name__,
    "archipel.study.executors.executor",
    {
        "crew_on": "open_executor",
        "Crew": "Executor",
        "WorkFailed": "WorkFailed",
        "NoRayError": "NoRayError",
    },
)
