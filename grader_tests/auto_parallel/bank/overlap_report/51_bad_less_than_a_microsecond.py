# What overlaps for less than a microsecond is left out.
# breaks: 1
# kills: test_value
# misconception: overlap
def overlap_report(record):
    products = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    return {
        c["index"]: sorted(
            p["index"] for p in products if min(p["end"], c["end"]) - max(p["start"], c["start"]) > 5e-7
        )
        for c in record
        if c["lane"] == "copy"
    }
