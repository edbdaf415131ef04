# Prints the figure and returns nothing.
# breaks: 5
# misconception: memory-now
import psutil


def get_mem():
    print(psutil.Process().memory_info().rss / 1e6, 'MB')
