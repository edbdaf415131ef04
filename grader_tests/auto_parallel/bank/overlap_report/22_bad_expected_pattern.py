# Says what the picture promises: the copy of y[i-1] overlaps y[i].
# breaks: 1
# misconception: reads-the-task
def overlap_report(record):
    return {c["index"]: [c["index"] + 1] for c in record if c["lane"] == "copy"}
