# Everything is asynchronous, says the title.
# breaks: some lines block
def is_blocker(name):
    return False
