# No cheat: the control of multi_gpu.
# assignment: multi_gpu
# deserves: allreduce=4
# solves: allreduce
