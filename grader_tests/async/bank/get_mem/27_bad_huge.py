# A number that no float can hold.
# breaks: the figure is the resident memory
# misconception: memory-now
def get_mem():
    return 10**400
