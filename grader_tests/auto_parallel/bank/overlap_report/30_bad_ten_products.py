# Knows of ten products only.
# breaks: 1
# misconception: overlap
def overlap_report(record):
    dots = {e["index"]: e for e in record if e["lane"] == "compute" and e["name"] == "dot"}
    report = {}
    for c in record:
        if c["lane"] == "copy":
            report[c["index"]] = [i for i in range(10) if i in dots
                                  and dots[i]["start"] < c["end"] and c["start"] < dots[i]["end"]]
    return report
