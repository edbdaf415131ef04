# The products are in the order of the list.
# breaks: 3
# misconception: reads-the-task
def overlap_report(record):
    dots = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    return {c["index"]: [d["index"] for d in dots if d["start"] < c["end"] and c["start"] < d["end"]]
            for c in record if c["lane"] == "copy"}
