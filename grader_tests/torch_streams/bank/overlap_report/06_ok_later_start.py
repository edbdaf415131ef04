# The one that starts later must start before the end of the other.
def overlap_report(spans):
    report = []
    names = list(spans)
    while names:
        a = names.pop()
        for b in names:
            first, second = (a, b) if spans[a][0].elapsed_time(spans[b][0]) >= 0 else (b, a)
            if spans[second][0].elapsed_time(spans[first][1]) > 0:
                report.append((b, a))
    return report
