# A number that no float can hold.
# breaks: 2
# misconception: memory-now
def get_mem():
    return 10**400
