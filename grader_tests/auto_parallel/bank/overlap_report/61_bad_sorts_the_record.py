# Sorts the record itself, and not a copy.
# breaks: 8
# kills: test_record_stays
# misconception: names-and-arrays
def overlap_report(record):
    record.sort(key=lambda event: event["start"])
    products = [event for event in record if event["lane"] == "compute" and event["name"] == "dot"]
    return {
        copy["index"]: sorted(
            one["index"] for one in products if one["start"] < copy["end"] and copy["start"] < one["end"]
        )
        for copy in record
        if copy["lane"] == "copy"
    }
