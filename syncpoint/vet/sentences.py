"""Whether what a report says of the failed tests can be true: sentences that deny the failure, or each other."""

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

# A count of what should not be, which is zero: "Waits: 0." beside a failed test says that nothing was wrong, unless
# the sentence goes on with another count.
WRONG = "Waits(?! for unfinished work)|Races|Copies|Pairs|Results|Ranks|Operations still|Operations that mixed"
NOTHING = re.compile(rf"^({WRONG})\b[^.:]*: 0\.(?!.*: [1-9])")
# Somebody waited, and the first wait is none.
NO_WAIT = re.compile(r"\bwaited (?!or returned)[^.]*\.[^.]*\bwait: (none|nowhere)\.")
NOWHERE = re.compile(r"\bnowhere\b")
# The same name has waited for something, and returned what was still in the queue.
WAITED, IN_THE_QUEUE = re.compile(r"^(\w+) (?:also )?waited for"), re.compile(r"^y was still in the queue when (\w+) ")


def untrue(feedback: Iterable[str]) -> Iterator[str]:
    """Yield the sentences about failed tests that cannot be true, and pairs that contradict each other.

    Args:
        feedback: What the student reads of each failed test of one exercise.
    """
    feedback = [sentence for sentence in feedback if sentence]
    for sentence in feedback:
        if any(pattern.search(sentence) for pattern in (NOTHING, NO_WAIT, NOWHERE)):
            yield sentence
    for one, other in combinations(feedback, 2):
        for waited, left in (
            (WAITED.match(one), IN_THE_QUEUE.match(other)),
            (WAITED.match(other), IN_THE_QUEUE.match(one)),
        ):
            if waited and left and waited[1] == left[1]:
                yield f"{one} {other}"
