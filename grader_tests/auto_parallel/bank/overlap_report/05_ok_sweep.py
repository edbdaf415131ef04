# A sweep over all starts and ends, ends first.
def overlap_report(record):
    moments = []
    report = {}
    for event in record:
        if event['lane'] == 'copy':
            kind = 'copy'
            report[event['index']] = set()
        elif event['lane'] == 'compute' and event['name'] == 'dot':
            kind = 'dot'
        else:
            continue
        moments.append((event['start'], 1, kind, event['index']))
        moments.append((event['end'], 0, kind, event['index']))
    running = {'copy': set(), 'dot': set()}
    for _, starts, kind, index in sorted(moments):
        if not starts:
            running[kind].discard(index)
            continue
        running[kind].add(index)
        if kind == 'copy':
            report[index] |= running['dot']
        else:
            for copy in running['copy']:
                report[copy].add(index)
    return {copy: sorted(products) for copy, products in report.items()}
