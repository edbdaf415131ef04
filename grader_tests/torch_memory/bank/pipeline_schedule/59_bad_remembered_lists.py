# The returned lists are kept: changing one changes the next answer.
# breaks: 1
# kills: test_few_microbatches
# misconception: pipeline-bubble
from functools import lru_cache


@lru_cache
def gpipe(stages, microbatches):
    forward = [f"F{i}" for i in range(microbatches)]
    backward = [f"B{i}" for i in range(microbatches)]
    return [forward + backward for _ in range(stages)]


@lru_cache
def one_f_one_b(stages, microbatches):
    schedule = []
    for r in range(stages):
        ahead = min(stages - r, microbatches)
        actions = [f"F{i}" for i in range(ahead)]
        for i in range(microbatches):
            actions.append(f"B{i}")
            if ahead + i < microbatches:
                actions.append(f"F{ahead + i}")
        schedule.append(actions)
    return schedule
