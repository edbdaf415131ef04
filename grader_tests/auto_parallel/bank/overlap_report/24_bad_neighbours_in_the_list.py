# Looks only at the events that stand next to each other in the list.
# breaks: 1
# misconception: overlap
def overlap_report(record):
    events = [e for e in record if e["lane"] != "front end"]
    report = {e["index"]: [] for e in events if e["lane"] == "copy"}
    for a, b in zip(events, events[1:]):
        if {a["lane"], b["lane"]} == {"copy", "compute"} and b["start"] < a["end"]:
            copy, product = (a, b) if a["lane"] == "copy" else (b, a)
            report[copy["index"]].append(product["index"])
    return report
