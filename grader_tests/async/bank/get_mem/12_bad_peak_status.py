# VmHWM is the high-water mark.
# breaks: 1
# misconception: memory-now
def get_mem():
    with open('/proc/self/status') as status:
        for line in status:
            if line.startswith('VmHWM'):
                return int(line.split()[1]) / 1024
