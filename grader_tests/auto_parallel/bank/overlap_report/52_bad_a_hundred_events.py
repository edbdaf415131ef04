# It reads the first hundred events only.
# breaks: 1
# kills: test_value
# misconception: overlap
def overlap_report(record):
    record = record[:100]
    products = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    return {
        c["index"]: sorted(p["index"] for p in products if p["start"] < c["end"] and c["start"] < p["end"])
        for c in record
        if c["lane"] == "copy"
    }
