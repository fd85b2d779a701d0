"""Rules in the words of a language: what `tuolaji_env.explain` says, sentence by sentence.

A language other than English has patterns (`static/lang/rules.zh.json`): an English sentence, with
`{}` where something is filled in, and the same in that language.  What is filled in is translated
too where the patterns have it.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path

from tuolaji_env.explain import sections
from tuolaji_env.rules import Rules

STATIC = Path(__file__).parent / "static"
LANGUAGES = ("en", "zh")


def rules_in_words(rules: Rules, language: str) -> list[dict[str, object]]:
    """Headings with their sentences. Raises KeyError for a sentence that has no translation."""
    return [
        {"heading": say(heading, language), "sentences": [say(text, language) for text in texts]}
        for heading, texts in sections(rules)
    ]


def say(text: str, language: str) -> str:
    """A sentence in a language. Raises KeyError."""
    if language == "en":
        return text
    words, patterns = _patterns(language)
    for expression, other in patterns:
        if match := expression.fullmatch(text):
            return other.format(*(words.get(each, each) for each in match.groups()))
    raise KeyError(f"{text!r} has no words in {language}")


@functools.cache
def _patterns(language: str) -> tuple[dict[str, str], list[tuple[re.Pattern[str], str]]]:
    path = STATIC / "lang" / f"rules.{language}.json"
    words: dict[str, str] = json.loads(path.read_text("utf-8"))
    # the most precise first: what is filled in may be anything
    ordered = sorted(words.items(), key=lambda item: -len(item[0].replace("{}", "")))
    return words, [
        (re.compile("(.*?)".join(map(re.escape, english.split("{}")))), other)
        for english, other in ordered
    ]
