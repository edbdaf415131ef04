# ru_maxrss is the largest the process has ever been.
# breaks: the memory now, not the peak
# misconception: memory-now
import resource


def get_mem():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
