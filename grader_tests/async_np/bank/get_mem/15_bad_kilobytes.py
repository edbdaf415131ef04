# The division is forgotten.
# breaks: 4
# misconception: memory-now
import subprocess


def get_mem():
    res = subprocess.check_output(['ps', 'u', '-p', str(os.getpid())])
    return int(str(res).split()[15])
