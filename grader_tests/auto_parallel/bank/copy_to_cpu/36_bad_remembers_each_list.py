# The copies are kept for lists of arrays that were there before.
# breaks: 5
# kills: test_new_copies_each_time
# misconception: every-call-starts-anew
def copy_to_cpu(ys):
    seen = copy_to_cpu.__dict__.setdefault("seen", [])
    for old, copies in seen:
        if len(old) == len(ys) and all(a is b for a, b in zip(old, ys)):
            return list(copies)
    copies = [y.as_in_context(mx.cpu(0)) for y in ys]
    seen.append((list(ys), copies))
    return copies
