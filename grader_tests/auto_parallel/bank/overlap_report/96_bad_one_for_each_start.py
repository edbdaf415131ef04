# Products by their start: of two that start together, one is lost.
# breaks: 1
# kills: test_several_products
# misconception: overlap
def overlap_report(record):
    products = {e["start"]: e for e in record if e["lane"] == "compute" and e["name"] == "dot"}.values()
    return {c["index"]: sorted(p["index"] for p in products if p["start"] < c["end"] and c["start"] < p["end"])
            for c in record if c["lane"] == "copy"}
