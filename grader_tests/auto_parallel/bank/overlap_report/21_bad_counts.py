# Counts the products instead of naming them.
# breaks: 3
# misconception: reads-the-task
def overlap_report(record):
    dots = [e for e in record if e["name"] == "dot"]
    return {c["index"]: sum(d["start"] < c["end"] and c["start"] < d["end"] for d in dots)
            for c in record if c["lane"] == "copy"}
