"""Finds untrue sentences in reports: sentences that deny the failure, or contradict each other."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from ..course.errors import CourseError

FILE = "untrue.toml"  # next to the graders of all assignments


@dataclass(frozen=True)
class Untrue:
    """A course's sentences that cannot be true next to a failed test."""

    denies: tuple[re.Pattern[str], ...] = ()  # patterns of sentences that say that nothing was wrong
    # pairs of patterns of sentences that contradict each other if their groups ``name`` are the same
    opposed: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = ()

    @classmethod
    def of(cls, folder: Path) -> "Untrue":
        """Read the sentences of a course's graders, if there are any, or raise CourseError."""
        path = folder / FILE
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            pairs = [tuple(map(re.compile, pair)) for pair in data.get("opposed", ())]
            return cls(tuple(map(re.compile, data.get("denies", ()))), tuple((one, other) for one, other in pairs))
        except (OSError, ValueError, TypeError, re.error) as problem:
            raise CourseError(f"{path} is no list of regular expressions ({problem}); correct it.") from None

    def among(self, sentences: Iterable[str]) -> Iterator[str]:
        """Yield sentences on failed tests of an exercise that cannot be true, and pairs that contradict each other."""
        found = [sentence for sentence in sentences if sentence]
        for sentence in found:
            if any(pattern.search(sentence) for pattern in self.denies):
                yield sentence
        for pair in combinations(found, 2):
            for patterns in self.opposed:
                for first, second in (pair, pair[::-1]):
                    one, other = patterns[0].search(first), patterns[1].search(second)
                    if one and other and one["name"] == other["name"]:
                        yield " ".join(pair)
