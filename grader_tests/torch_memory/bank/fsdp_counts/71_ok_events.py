# A list of what happens in a pass, which is counted at the end.
from collections import Counter


def fsdp_counts(layers, wrapping, reshard, passes):
    def one_pass():
        alone = {number for number in wrapping if layers[number] > 0}
        rest = {number for number, size in enumerate(layers) if size > 0} - set(wrapping)
        if rest:
            yield "gather"
        for number in sorted(alone):
            yield "gather"
        for number in sorted(alone, reverse=True):
            if reshard:
                yield "gather"
            yield "reduce"
        if rest:
            yield "reduce"

    events = Counter(event for _ in range(passes) for event in one_pass())
    return events["gather"], events["reduce"]
