# $$ is the process of the shell that runs ps, not this one.
# breaks: 3
# misconception: memory-now
import subprocess


def get_mem():
    res = subprocess.check_output('ps -o rss= -p $$', shell=True)
    return int(res) / 1e3
