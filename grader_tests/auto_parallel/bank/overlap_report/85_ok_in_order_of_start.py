# The products in the order in which they started; the index counts in that order, so they ascend.
def overlap_report(record):
    by_start = sorted(record, key=lambda e: e["start"])
    return {
        c["index"]: [p["index"] for p in by_start if p["lane"] == "compute" and p["name"] == "dot"
                     and p["start"] < c["end"] and c["start"] < p["end"]]
        for c in record if c["lane"] == "copy"}
