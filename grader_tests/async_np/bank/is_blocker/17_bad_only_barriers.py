# Only the calls with "wait" in their name.
# breaks: 4
# misconception: unknown-size
def is_blocker(name):
    return 'wait' in name
