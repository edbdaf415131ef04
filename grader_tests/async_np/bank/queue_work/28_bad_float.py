# float() looks like a harmless cast; it waits, and what comes back is no array.
# breaks: 1, 2
# misconception: hidden-waits
def queue_work(x):
    return float(np.dot(x, x).sum())
