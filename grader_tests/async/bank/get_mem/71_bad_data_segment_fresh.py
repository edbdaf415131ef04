# Takes the line VmData of /proc/self/status.
# breaks: 2
# kills: test_agrees_with_a_look_from_outside
# misconception: memory-now
def get_mem():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmData"))
