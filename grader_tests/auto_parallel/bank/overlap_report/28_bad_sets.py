# The values are sets.
# breaks: 3
# misconception: reads-the-task
def overlap_report(record):
    dots = [e for e in record if (e["lane"], e["name"]) == ("compute", "dot")]
    copies = [e for e in record if e["lane"] == "copy"]
    return {c["index"]: {d["index"] for d in dots if d["start"] < c["end"] and c["start"] < d["end"]} for c in copies}
