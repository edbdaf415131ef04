# Prints the report.
# breaks: 7
# misconception: reads-the-task
def overlap_report(record):
    for c in record:
        if c["lane"] == "copy":
            beside = [d["index"] for d in record if d["name"] == "dot"
                      and d["start"] < c["end"] and c["start"] < d["end"]]
            print(c["index"], beside)
