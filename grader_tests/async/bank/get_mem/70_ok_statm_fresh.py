# Pages of /proc/PID/statm, times the size of a page.
import resource


def get_mem(unit=10 ** 6):
    with open(f"/proc/{os.getpid()}/statm", "rb") as pages:
        total, resident, *rest = map(int, pages.read().split())
    return resident * resource.getpagesize() / unit
