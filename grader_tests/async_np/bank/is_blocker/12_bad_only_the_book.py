# Only what everybody knows: barriers, print, asnumpy and item.
# breaks: 4
# misconception: hidden-waits
BLOCKERS = {'wait_to_read', 'waitall', 'print', 'asnumpy', 'item'}


def is_blocker(name):
    return name in BLOCKERS
