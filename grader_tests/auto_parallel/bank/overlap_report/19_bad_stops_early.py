# Stops at the first product that starts after the copy: right only if the list is in order of time.
# breaks: 6
# misconception: reads-the-task
def overlap_report(record):
    report = {}
    for c in record:
        if c["lane"] != "copy":
            continue
        report[c["index"]] = []
        for d in record:
            if d["name"] != "dot":
                continue
            if d["start"] >= c["end"]:
                break
            if d["end"] > c["start"]:
                report[c["index"]].append(d["index"])
        report[c["index"]].sort()
    return report
