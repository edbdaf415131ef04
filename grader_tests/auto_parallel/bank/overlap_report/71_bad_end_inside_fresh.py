# A product overlaps if the copy begins or ends inside of it.
# breaks: 1
# kills: test_several_products
# misconception: overlap
def overlap_report(record):
    copies = [e for e in record if e["lane"] == "copy"]
    products = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    return {c["index"]: sorted(p["index"] for p in products
                               if p["start"] <= c["start"] < p["end"] or p["start"] < c["end"] <= p["end"])
            for c in copies}
