# ru_maxrss is the largest the process has ever been.
# breaks: 1
# misconception: memory-now
import resource


def get_mem():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
