# VmSize counts addresses, not memory.
# breaks: 2
# misconception: memory-now
def get_mem():
    with open('/proc/self/status') as status:
        for line in status:
            if line.startswith('VmSize'):
                return int(line.split()[1]) / 1024
