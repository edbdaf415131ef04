# One comprehension over sorted events.
def overlap_report(record):
    events = sorted(record, key=lambda event: event["index"] if event["index"] is not None else -1)
    copies = (event for event in events if event["lane"] == "copy")
    products = [event for event in events if (event["lane"], event["name"]) == ("compute", "dot")]
    return {
        copied["index"]: [
            product["index"]
            for product in products
            if max(copied["start"], product["start"]) < min(copied["end"], product["end"])
        ]
        for copied in copies
    }
