# A regular expression over the whole status file, an int for a result.
import pathlib
import re


def get_mem():
    text = pathlib.Path('/proc/self/status').read_text()
    return round(int(re.search(r'VmRSS:\s+(\d+) kB', text).group(1)) / 1000)
