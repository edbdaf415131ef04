# psutil counts bytes.
# breaks: 4
# misconception: memory-now
import psutil


def get_mem():
    return psutil.Process(os.getpid()).memory_info().rss
