# Everything that is no copy counts as a product.
# breaks: 5
# misconception: reads-the-task
def overlap_report(record):
    others = [e for e in record if e["lane"] != "copy"]
    return {c["index"]: sorted(d["index"] for d in others if d["start"] < c["end"] and c["start"] < d["end"])
            for c in record if c["lane"] == "copy"}
