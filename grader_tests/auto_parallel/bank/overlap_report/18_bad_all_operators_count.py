# Every operator of the lane counts as a product.
# breaks: 5
# misconception: reads-the-task
def overlap_report(record):
    work = [e for e in record if e["lane"] == "compute"]
    return {c["index"]: sorted({d["index"] for d in work if d["start"] < c["end"] and c["start"] < d["end"]})
            for c in record if c["lane"] == "copy"}
