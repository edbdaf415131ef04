# Only products on the same device as the copy.
# breaks: 1
# misconception: reads-the-task
def overlap_report(record):
    dots = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    return {c["index"]: sorted(d["index"] for d in dots if d["device"] == c["device"]
                               and d["start"] < c["end"] and c["start"] < d["end"])
            for c in record if c["lane"] == "copy"}
