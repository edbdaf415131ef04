# Asks only whether the copy starts during the product.
# breaks: 1
# misconception: overlap
def overlap_report(record):
    dots = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    return {c["index"]: sorted(d["index"] for d in dots if d["start"] <= c["start"] < d["end"])
            for c in record if c["lane"] == "copy"}
