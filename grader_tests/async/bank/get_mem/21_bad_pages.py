# statm counts pages; here they are taken for kilobytes.
# breaks: 4
# misconception: memory-now
def get_mem():
    with open('/proc/self/statm') as statm:
        return int(statm.read().split()[1]) / 1024
