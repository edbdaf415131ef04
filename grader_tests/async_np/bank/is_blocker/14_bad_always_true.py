# Better safe than sorry.
# breaks: 1, 2
# misconception: unknown-size
def is_blocker(name):
    return name in SNIPPETS
