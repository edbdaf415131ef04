# Arrays of times and a table of truth values.
import numpy as np


def overlap_report(record):
    dots = sorted((e for e in record if (e['lane'], e['name']) == ('compute', 'dot')), key=lambda e: e['index'])
    copies = sorted((e for e in record if e['lane'] == 'copy'), key=lambda e: e['index'])
    if not dots or not copies:
        return {c['index']: [] for c in copies}
    starts, ends = np.array([[d['start'], d['end']] for d in dots]).T
    report = {}
    for c in copies:
        hit = (starts < c['end']) & (ends > c['start'])
        report[c['index']] = [dots[i]['index'] for i in np.flatnonzero(hit)]
    return report
