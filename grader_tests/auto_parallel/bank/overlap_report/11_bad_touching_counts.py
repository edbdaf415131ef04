# Smaller or equal: what only touches is counted.
# breaks: 4
# misconception: overlap
def overlap_report(record):
    dots = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    return {c["index"]: sorted(d["index"] for d in dots if d["start"] <= c["end"] and c["start"] <= d["end"])
            for c in record if c["lane"] == "copy"}
