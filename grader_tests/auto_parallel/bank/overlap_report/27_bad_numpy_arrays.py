# The values are numpy arrays.
# breaks: 3
# misconception: reads-the-task
def overlap_report(record):
    dots = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    report = {}
    for c in record:
        if c["lane"] == "copy":
            hit = [d["index"] for d in dots if d["start"] < c["end"] and c["start"] < d["end"]]
            report[c["index"]] = numpy.sort(numpy.array(hit, dtype=int))
    return report
