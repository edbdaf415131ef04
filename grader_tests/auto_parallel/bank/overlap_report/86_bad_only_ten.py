# Looks for ten copies, however many there are.
# breaks: 2
# misconception: overlap
def overlap_report(record):
    dots = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    report = {}
    for i in range(10):
        for c in record:
            if c["lane"] == "copy" and c["index"] == i:
                report[i] = sorted(d["index"] for d in dots if c["start"] < d["end"] and d["start"] < c["end"])
    return report
