# The report is turned around: product -> copies.
# breaks: 2
# misconception: reads-the-task
def overlap_report(record):
    dots = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    copies = [e for e in record if e["lane"] == "copy"]
    return {d["index"]: sorted(c["index"] for c in copies if d["start"] < c["end"] and c["start"] < d["end"])
            for d in dots}
