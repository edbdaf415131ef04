"""The intake on notebooks that were damaged at random, always in the same ways."""

import copy
import json
import random
from typing import Any

from classroom import Read

from syncpoint.course.intake import StudentNotebook

GRADED = ["test_f", "why"]


def _graded(submission: StudentNotebook) -> list[str]:
    ids = [cell.metadata.get("nbgrader", {}).get("grade_id", "") for cell in submission.notebook.cells]
    return sorted(identity for identity in ids if identity in GRADED)


def test_no_content_whatever_raises(read: Read, plain: dict[str, Any]):
    dice = random.Random(11)
    texts = ["", "code", "markdown", "raw", "x", "\ud800", "test_f", "f", "why", "imports"]
    scraps = [None, True, False, 0, -1, 3, 4, 1e300, *texts, [], {}, ["a"], {"nbgrader": {}}, {"grade_id": "f"}]

    def places(data: Any) -> list[tuple[Any, Any]]:
        keys = data.keys() if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
        return [place for key in list(keys) for place in ((data, key), *places(data[key]))]

    for _ in range(1500):
        damaged = copy.deepcopy(plain)
        for _ in range(dice.randrange(1, 5)):
            container, key = dice.choice(places(damaged) or [([0], 0)])
            if dice.random() < 0.25:
                del container[key]
            else:
                container[key] = copy.deepcopy(dice.choice(scraps))
        # Every graded cell is there once, whatever was done to the file.
        assert _graded(read(damaged)) == GRADED, damaged


def test_no_bytes_whatever_raise(read: Read, plain: dict[str, Any]):
    dice = random.Random(12)
    whole = json.dumps(plain).encode()
    for _ in range(500):
        damaged = bytearray(whole)
        for _ in range(dice.randrange(1, 8)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        part = bytes(damaged[: dice.randrange(len(damaged) // 2, len(damaged) + 1)])
        assert _graded(read(part)) == GRADED, part
