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
    """A course's sentences that cannot be true next to a failed test.

    Attributes:
        denies: Patterns of sentences that say that nothing was wrong.
        opposed: Pairs of patterns of sentences that contradict each other if their groups ``name`` are the same.
    """

    denies: tuple[re.Pattern[str], ...] = ()
    opposed: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = ()

    @classmethod
    def of(cls, folder: Path) -> "Untrue":
        """Read the sentences of a course's graders; none if there is no such file.

        Raises:
            CourseError: If the file is no such list of regular expressions.
        """
        path = folder / FILE
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            pairs = [tuple(map(re.compile, pair)) for pair in data.get("opposed", ())]
            return cls(tuple(map(re.compile, data.get("denies", ()))), tuple((one, other) for one, other in pairs))
        except (OSError, ValueError, TypeError, re.error) as problem:
            raise CourseError(f"{path} is no list of regular expressions ({problem}); correct it.") from None

    def among(self, sentences: Iterable[str]) -> Iterator[str]:
        """Yield the sentences about failed tests that cannot be true, and pairs that contradict each other.

        Args:
            sentences: The student's sentences on each failed test of one exercise.
        """
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
