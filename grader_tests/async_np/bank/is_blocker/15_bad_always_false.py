# Everything is asynchronous, says the title.
# breaks: 3
# misconception: call-means-done
def is_blocker(name):
    return False
