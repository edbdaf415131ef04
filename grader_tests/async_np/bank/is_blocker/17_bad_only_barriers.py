# Only the calls with "wait" in their name.
# breaks: conversions block, and so do masks
# misconception: unknown-size
def is_blocker(name):
    return 'wait' in name
