"""What a result was made with."""

from __future__ import annotations

import numba
import numpy as np

import tuolaji_env


def versions() -> dict[str, str]:
    """Versions of this package and of what its figures depend on."""
    return {
        "tuolaji_env": tuolaji_env.__version__,
        "numpy": np.__version__,
        "numba": numba.__version__,
    }
