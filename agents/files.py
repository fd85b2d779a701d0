"""Files that are written whole, or not at all: the library's, under the name the agents know."""

from tuolaji_env.files import write_whole

__all__ = ["write_whole"]
