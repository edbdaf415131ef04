# The grade cell becomes a solution cell and the other way round.
# assignment: async
# deserves: queue_work=0 loops=0
# %% metadata test_queue_work
# {"nbgrader": {"grade": false, "solution": true, "locked": false}}
# %% metadata queue_work
# {"nbgrader": {"grade": true, "solution": false, "points": 2}}
# %% metadata test_loops
# {"nbgrader": {"task": true, "solution": true}}
