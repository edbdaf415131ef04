# Field 24 of /proc/self/stat, counted after the name in parentheses, and the page size of sysconf; a numpy number.
import numpy as np


def get_mem():
    with open('/proc/self/stat') as stat:
        after_name = stat.read().rpartition(')')[2].split()
    page_size = os.sysconf('SC_PAGE_SIZE')
    return np.float64(after_name[21]) * page_size / 1024 / 1024
