"""Tests marked slow run only when asked for: SLOW=1, or CI=true."""

import os

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("SLOW", "0") not in ("", "0") or os.environ.get("CI") == "true":
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow; run with SLOW=1"))
