"""What a result was made with, and on."""

from __future__ import annotations

import platform
from pathlib import Path

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


def processor() -> str:
    """The name of the processor, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
