# Copies without any product do not come into the dictionary, if they are the last in the list.
# breaks: 2
# kills: test_nothing_overlaps
# misconception: overlap
def overlap_report(record):
    report = {}
    products = sorted((e for e in record if e["name"] == "dot" and e["lane"] == "compute"), key=lambda e: e["start"])
    for c in (e for e in record if e["lane"] == "copy"):
        for p in products:
            beside = report.setdefault(c["index"], [])
            if p["end"] > c["start"] and p["start"] < c["end"]:
                beside.append(p["index"])
    return report
