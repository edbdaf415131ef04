# No cheat: the control of auto_parallel.
# assignment: auto_parallel
# deserves: run=2 overlap_report=3
# solves: run overlap_report
