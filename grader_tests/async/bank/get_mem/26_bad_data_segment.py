# VmData is how large the data segment may get; most of it was never touched.
# breaks: 2
# misconception: memory-now
def get_mem():
    with open('/proc/self/status') as status:
        fields = dict(line.split(':', 1) for line in status)
    return int(fields['VmData'].split()[0]) / 1024
