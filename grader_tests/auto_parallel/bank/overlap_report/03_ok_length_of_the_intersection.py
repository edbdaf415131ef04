# The length of the common part must be positive.
def overlap_report(record):
    def common(a, b):
        return min(a['end'], b['end']) - max(a['start'], b['start'])

    products = sorted((e for e in record if e['name'] == 'dot'), key=lambda e: e['index'])
    copies = [e for e in record if e['lane'] == 'copy']
    return {c['index']: [p['index'] for p in products if common(c, p) > 0] for c in copies}
