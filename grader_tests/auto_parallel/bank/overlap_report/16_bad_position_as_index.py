# Numbers copies and products by their places in the list.
# breaks: 6
# misconception: reads-the-task
def overlap_report(record):
    dots = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    copies = [e for e in record if e["lane"] == "copy"]
    return {i: [j for j, d in enumerate(dots) if d["start"] < c["end"] and c["start"] < d["end"]]
            for i, c in enumerate(copies)}
