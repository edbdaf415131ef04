"""The lines that a training prints, one for each epoch."""

import re
from dataclasses import dataclass
from decimal import Decimal

NUMBER = r"(\d*\.?\d+(?:e[+-]?\d+)?)"
LINE = re.compile(rf"epoch\D*(\d{{1,6}})(?!\d).*?time\D*?{NUMBER}(.*)", re.IGNORECASE)
# In the rest of a line there may be other numbers: the loss, the accuracy on the training data.
ACCURACY = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (rf"test\D*?acc\D*?{NUMBER}", rf"test(?:(?!loss|time|err)\D)*?{NUMBER}", rf".*acc\D*?{NUMBER}")
]
# Such as that of a device: an accuracy has decimals.
WHOLE_NUMBER = re.compile(r"(?<![\d.+-])\d+(?!\d|\.\d)")


@dataclass(frozen=True)
class EpochLine:
    """What was printed about an epoch: its number, and the test accuracy as a number and as it was written."""

    number: int
    accuracy: float
    accuracy_text: str


def epoch_lines(stdout):
    """An `EpochLine` for each line like ``epoch 1, time 1.5 sec, test acc 0.60``."""
    lines = []
    # Some output takes these patterns for ever: no line about an epoch is so long, and no test has this many lines.
    short = [line for line in stdout.splitlines()[:1000] if len(line) <= 200]
    for number, _, rest in (found.groups() for found in map(LINE.search, short) if found):
        places = (WHOLE_NUMBER.sub("", rest), rest)
        if texts := [found[1] for text in places for pattern in ACCURACY if (found := pattern.search(text))]:
            lines.append(EpochLine(int(number), float(texts[0]), texts[0]))
    return lines


def check_accuracy(line, right, slack=0.0):
    """Fail unless the line has this accuracy, in the digits it prints."""
    # Two digits may be cut off or rounded, and one may be rounded; float32 has more digits than it knows.
    unit = 10.0 ** min(0, Decimal(line.accuracy_text).as_tuple().exponent)
    tolerance = min(max(unit, 1e-3), 0.05) + slack + 1e-6
    assert abs(line.accuracy - right) <= tolerance, (line.accuracy_text, right)
