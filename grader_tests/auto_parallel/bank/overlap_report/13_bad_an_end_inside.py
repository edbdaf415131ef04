# Asks whether the start or the end of the copy is in the product.
# breaks: 1
# misconception: overlap
def overlap_report(record):
    report = {}
    for c in record:
        if c["lane"] == "copy":
            report[c["index"]] = sorted(
                d["index"] for d in record if d["name"] == "dot"
                and (d["start"] <= c["start"] < d["end"] or d["start"] < c["end"] <= d["end"]))
    return report
