# Events sorted into bins first; tuples instead of lists.
from collections import defaultdict


def overlap_report(record):
    bins = defaultdict(dict)
    for event in record:
        bins[event['lane'], event['name']][event['index']] = (event['start'], event['end'])
    report = {}
    for copy, (begin, end) in bins['copy', 'copy'].items():
        report[copy] = tuple(i for i, (s, e) in sorted(bins['compute', 'dot'].items()) if not (e <= begin or end <= s))
    return report
