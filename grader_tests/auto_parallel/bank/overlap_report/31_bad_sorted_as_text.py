# The indices are sorted as texts.
# breaks: 3
# misconception: overlap
def overlap_report(record):
    dots = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    return {c["index"]: sorted((d["index"] for d in dots if d["start"] < c["end"] and c["start"] < d["end"]), key=str)
            for c in record if c["lane"] == "copy"}
