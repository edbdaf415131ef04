# No cheat: the control of async_np.
# assignment: async_np
# deserves: is_blocker=3
# solves: is_blocker
