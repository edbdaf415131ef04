# Only the calls with "wait" in their name.
# breaks: conversions block, and so do masks
def is_blocker(name):
    return 'wait' in name
