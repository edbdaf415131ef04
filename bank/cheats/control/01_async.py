# No cheat: an honest submission gets its points on the very same way.
# assignment: async
# deserves: queue_work=2 loops=4
# solves: queue_work loops
