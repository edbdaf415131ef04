# Takes everything that is not on the front end: a copy is also in its own list.
# breaks: 5
# misconception: reads-the-task
def overlap_report(record):
    work = [e for e in record if e["lane"] != "front end"]
    return {c["index"]: sorted(d["index"] for d in work if d["start"] < c["end"] and c["start"] < d["end"])
            for c in record if c["lane"] == "copy"}
