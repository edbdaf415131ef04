# One column too far to the left: VSZ instead of RSS.
# breaks: 2
# misconception: memory-now
import subprocess


def get_mem():
    res = subprocess.check_output(['ps', 'u', '-p', str(os.getpid())])
    return int(str(res).split()[14]) / 1e3
