"""Letters in pictures: Pillow's own font, and a font of the system for what that one lacks.

No font comes with the package.  Chinese names, say, are drawn where the system has a Chinese font;
where it has none, `readable` says so, and something else is written: never boxes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from PIL import ImageFont

#: Files of fonts with many scripts, by the names that systems give them, and the face of each that
#: has simplified Chinese.  Pillow knows in which folders to look.
_FILES = (
    ("NotoSansCJK-Regular.ttc", 2),
    ("NotoSansCJKsc-Regular.otf", 0),
    ("NotoSansSC-Regular.otf", 0),
    ("SourceHanSansSC-Regular.otf", 0),
    ("wqy-microhei.ttc", 0),
    ("wqy-zenhei.ttc", 0),
    ("DroidSansFallbackFull.ttf", 0),
    ("Hiragino Sans GB.ttc", 0),
    ("STHeiti Light.ttc", 0),
    ("msyh.ttc", 0),
    ("simhei.ttf", 0),
    ("simsun.ttc", 0),
    ("Arial Unicode.ttf", 0),
    ("DejaVuSans.ttf", 0),
)
_OWN = -1
_TRIED = 24  # pixels at which letters are looked for
_NO_LETTER = "\U0010ffff"  # drawn as any font draws what it lacks


def font(text: str, size: int) -> Any:
    """A font that has all letters of a text, if there is one. size: pixels."""
    return _sized(_face(text), max(size, 1))


def readable(text: str) -> bool:
    """Whether some font has all letters of a text."""
    return all(_has(_face(text), letter) for letter in text)


@lru_cache(1024)
def _face(text: str) -> int:
    """The first font that has a text, as its place in `_FILES`; Pillow's own if none has it."""
    for face in (_OWN, *range(len(_FILES))):
        if all(_has(face, letter) for letter in text):
            return face
    return _OWN


@lru_cache(4096)
def _has(face: int, letter: str) -> bool:
    found = _sized(face, _TRIED)
    return found is not None and (letter.isspace() or _drawn(face, letter) != _nothing(face))


@lru_cache(None)
def _nothing(face: int) -> tuple[Any, ...]:
    return _drawn(face, _NO_LETTER)


def _drawn(face: int, letter: str) -> tuple[Any, ...]:
    mask = _sized(face, _TRIED).getmask(letter)
    return mask.size, bytes(mask)


@lru_cache(256)
def _sized(face: int, size: int) -> Any:
    """A font, or None where the system does not have it."""
    if face == _OWN:
        return ImageFont.load_default(size)
    try:
        return ImageFont.truetype(_FILES[face][0], size, index=_FILES[face][1])
    except OSError:
        return None
