# An assert looks whether the result is finite.
# breaks: 2
# kills: test_does_not_wait, test_does_not_wait_for_large_matrices
# misconception: hidden-waits
def queue_work(x):
    y = np.dot(x, x).sum()
    assert np.isfinite(y), "the numbers are too large"
    return y
