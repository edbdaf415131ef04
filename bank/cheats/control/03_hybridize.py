# No cheat: the control of hybridize.
# assignment: hybridize
# deserves: symbolic_program=3
# solves: symbolic_program
