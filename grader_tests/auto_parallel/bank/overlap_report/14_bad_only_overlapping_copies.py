# A copy without an overlap is left out.
# breaks: 2
# misconception: overlap
def overlap_report(record):
    report = {}
    for c in record:
        for d in record:
            if c["lane"] == "copy" and d["name"] == "dot" and c["start"] < d["end"] and d["start"] < c["end"]:
                report.setdefault(c["index"], []).append(d["index"])
    return {copy: sorted(products) for copy, products in report.items()}
