# Better safe than sorry.
# breaks: most lines only enqueue
# misconception: unknown-size
def is_blocker(name):
    return name in SNIPPETS
