# Sweeps over all beginnings and ends; ends come first.
from collections import defaultdict


def overlap_report(record):
    kinds = {("copy", "copy"): "c", ("compute", "dot"): "p"}
    moments, report = [], defaultdict(set)
    for event in record:
        kind = kinds.get((event["lane"], event["name"]))
        if kind:
            moments += [(event["start"], 1, kind, event["index"]), (event["end"], 0, kind, event["index"])]
    running = {"c": set(), "p": set()}
    for _, begins, kind, index in sorted(moments):
        if not begins:
            running[kind].discard(index)
            continue
        running[kind].add(index)
        for copy in running["c"]:
            report[copy] |= running["p"]
    return {copy: tuple(sorted(products)) for copy, products in sorted(report.items())}
