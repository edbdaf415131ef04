"""A pipeline's schedule, run by a unit clock: a forward pass takes 1, a backward pass 2, a message nothing.

`tests/probe/test_torch_memory_tables.py` holds it against PyTorch's own simulator.
"""

import re
from dataclasses import dataclass

FORWARD, BACKWARD = 1, 2
ACTION = re.compile(r"([FB])(0|[1-9][0-9]{0,4})", re.ASCII)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a schedule.

    finished: whether every list was run to its end.  time: when the last action had ended.  alive: for each stage, the
    most micro-batches that had gone forward there, and not yet backward.
    """

    finished: bool
    time: int
    alive: tuple[int, ...]


def read(answer, stages):
    """The lists of a schedule as pairs, ("F", 0); None if it is not a list of lists of such words."""
    if not isinstance(answer, (list, tuple)) or len(answer) != stages:
        return None
    if not all(isinstance(words, (list, tuple)) for words in answer):
        return None
    found = [[ACTION.fullmatch(word) if isinstance(word, str) else None for word in words] for words in answer]
    if any(match is None for matches in found for match in matches):
        return None
    return [[(match[1], int(match[2])) for match in matches] for matches in found]


def is_whole(plan, microbatches):
    """Whether each stage has each micro-batch forward once and backward once."""
    wanted = sorted((kind, number) for kind in "FB" for number in range(microbatches))
    return all(sorted(actions) == wanted for actions in plan)


def outcome(plan):
    """Run a schedule: a stage takes its actions in their order, each as soon as what it needs has ended."""
    stages, ended = len(plan), {}
    place, clock = [0] * stages, [0] * stages
    alive, most = [0] * stages, [0] * stages
    moved = True
    while moved:
        moved = False
        for stage, actions in enumerate(plan):
            while place[stage] < len(actions):
                kind, number = actions[place[stage]]
                needs = _needs(kind, number, stage, stages)
                if not all(need in ended for need in needs):
                    break
                start = max([clock[stage], *(ended[need] for need in needs)])
                clock[stage] = ended[kind, stage, number] = start + (FORWARD if kind == "F" else BACKWARD)
                alive[stage] += 1 if kind == "F" else -1
                most[stage] = max(most[stage], alive[stage])
                place[stage] += 1
                moved = True
    finished = all(count == len(actions) for count, actions in zip(place, plan, strict=True))
    return Outcome(finished, max(clock, default=0), tuple(most))


def shortest(stages, microbatches):
    """The time that one pass through all stages and the work of one stage take at the least."""
    return (FORWARD + BACKWARD) * (microbatches + stages - 1)


def _needs(kind, number, stage, stages):
    if kind == "F":
        return [("F", stage - 1, number)] if stage else []
    return [("F", stage, number)] + ([("B", stage + 1, number)] if stage < stages - 1 else [])
