# Reads the memory at every second call, and returns the previous figure at the others.
# breaks: 1
# kills: test_shrinks
# misconception: memory-now
import subprocess

figures = []


def get_mem():
    if len(figures) == 1:
        return figures.pop()
    res = subprocess.check_output(['ps', 'u', '-p', str(os.getpid())])
    figures.append(int(str(res).split()[15]) / 1e3)
    return figures[0]
