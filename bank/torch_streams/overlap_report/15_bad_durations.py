# Compares how long the pieces took.
# breaks: the right pairs
# misconception: overlap
def overlap_report(spans):
    times = {name: start.elapsed_time(end) for name, (start, end) in spans.items()}
    return [(a, b) for a in times for b in times if a < b and abs(times[a] - times[b]) < max(times[a], times[b]) / 2]
