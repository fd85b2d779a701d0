"""Tests marked slow run only when asked for (SLOW=1, or CI=true); hypothesis is reproducible.

HYPOTHESIS_PROFILE=explore looks for new examples instead, for as long as you like.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

_QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
settings.register_profile("everyday", derandomize=True, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("explore", deadline=None, suppress_health_check=_QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "everyday"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("SLOW", "0") not in ("", "0") or os.environ.get("CI") == "true":
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow; run with SLOW=1"))
