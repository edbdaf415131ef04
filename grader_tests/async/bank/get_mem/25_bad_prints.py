# Prints the figure and returns nothing.
# breaks: returns the figure
# misconception: memory-now
import psutil


def get_mem():
    print(psutil.Process().memory_info().rss / 1e6, 'MB')
