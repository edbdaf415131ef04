# Stops where one begins after the other, as if the dict were in the order of the starts.
# breaks: 1
# kills: test_value
# misconception: overlap
def overlap_report(spans):
    names, found = list(spans), []
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            if spans[b][0].elapsed_time(spans[a][1]) <= 0:
                break
            if spans[a][0].elapsed_time(spans[b][1]) > 0:
                found.append((a, b))
    return found
