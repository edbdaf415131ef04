# The first reading is kept for ever.
# breaks: 1
# misconception: memory-now
import functools
import subprocess


@functools.lru_cache(maxsize=None)
def get_mem():
    res = subprocess.check_output(['ps', 'u', '-p', str(os.getpid())])
    return int(str(res).split()[15]) / 1e3
