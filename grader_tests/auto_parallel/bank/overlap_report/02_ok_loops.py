# Two loops, and the condition turned around: skip what lies before or after.
def overlap_report(record):
    report = {}
    for copy in record:
        if copy['name'] != 'copy':
            continue
        beside = []
        for other in record:
            if other['lane'] != 'compute' or other['name'] != 'dot':
                continue
            if other['end'] <= copy['start'] or other['start'] >= copy['end']:
                continue
            beside.append(other['index'])
        beside.sort()
        report[copy['index']] = beside
    return report
