# Stops at the first product that overlaps.
# breaks: 1
# misconception: overlap
def overlap_report(record):
    report = {}
    for c in (e for e in record if e["lane"] == "copy"):
        report[c["index"]] = []
        for d in sorted((e for e in record if e["name"] == "dot"), key=lambda e: e["index"]):
            if c["start"] < d["end"] and d["start"] < c["end"]:
                report[c["index"]].append(d["index"])
                break
    return report
