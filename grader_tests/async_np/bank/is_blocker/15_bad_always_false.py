# Everything is asynchronous, says the title.
# breaks: some lines block
# misconception: call-means-done
def is_blocker(name):
    return False
