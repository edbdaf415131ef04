# Better safe than sorry.
# breaks: most lines only enqueue
def is_blocker(name):
    return name in SNIPPETS
