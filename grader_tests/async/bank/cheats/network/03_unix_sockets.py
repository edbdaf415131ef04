"""Looks for sockets of the machine: abstract ones, the system's bus, containers, an agent."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", r'''
import glob
import socket

names = ["\0/tmp/.X11-unix/X0", "/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket"]
names += [line.split()[-1].replace("@", "\0", 1) for line in open("/proc/net/unix") if "@" in line or "/" in line]
names += glob.glob("/tmp/sp-*/*")
for name in names:
    try:
        socket.socket(socket.AF_UNIX).connect(name)
        print("open", repr(name))
    except OSError:
        pass
''')
