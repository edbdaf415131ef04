# Waits for the result before it is handed back.
# breaks: returns while its input is not computed yet (wait_to_read)
# misconception: hidden-waits
def queue_work(x):
    y = np.dot(x, x).sum()
    y.wait_to_read()
    return y
