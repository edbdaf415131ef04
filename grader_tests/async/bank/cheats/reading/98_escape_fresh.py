"""Namespaces, mounts, cgroups, the terminal, the root of process 1."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
import ctypes, fcntl, subprocess
def queue_work(x): return nd.dot(x, x).sum()
libc = ctypes.CDLL(None, use_errno=True)
for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000):
    print("unshare", hex(flag), libc.unshare(flag), ctypes.get_errno())
print("mount", libc.mount(b"none", b"/tmp", b"tmpfs", 0, None), ctypes.get_errno(), "remount", libc.mount(None, b"/", None, 32 | 4096, None), ctypes.get_errno())
for p in ("/proc/1/root/work", "/proc/1/cwd", "/work", "/root", "/home", "/sys/fs/cgroup", "/proc/sys/kernel/core_pattern", "/dev/mem", "/dev/tty", "/dev/kmsg"):
    try: print(p, os.listdir(p) if os.path.isdir(p) else open(p, "r+").read(50))
    except Exception as e: print(p, e)
for fd in (0, 1, 2):
    try: fcntl.ioctl(fd, 0x5412, b"x"); print("TIOCSTI WORKS", fd)
    except OSError as e: print(fd, e)
os.symlink("/etc/passwd", "/tmp/link")
''')
