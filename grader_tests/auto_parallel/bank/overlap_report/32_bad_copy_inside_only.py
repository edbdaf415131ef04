# A product overlaps if one end of the copy lies inside of it; a product inside the copy does not count.
# breaks: 1
# kills: test_several_products
# misconception: overlap
def overlap_report(record):
    products = [e for e in record if (e["lane"], e["name"]) == ("compute", "dot")]
    return {
        copy["index"]: sorted(
            product["index"]
            for product in products
            if any(product["start"] < t < product["end"] for t in (copy["start"], copy["end"]))
            or (copy["start"], copy["end"]) == (product["start"], product["end"])
        )
        for copy in record
        if copy["lane"] == "copy"
    }
