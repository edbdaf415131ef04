# Two overlap if from the first start to the last end it takes less than both together.
def overlap_report(spans):
    def milliseconds(a, b):
        return max(start.elapsed_time(end) for start, _ in (spans[a], spans[b]) for _, end in (spans[a], spans[b]))

    report = []
    for a in spans:
        for b in spans:
            both = spans[a][0].elapsed_time(spans[a][1]) + spans[b][0].elapsed_time(spans[b][1])
            if a < b and milliseconds(a, b) < both:
                report.append((a, b))
    return report
