# Points that are no number.
# assignment: async
# deserves: queue_work=2 loops=0
# solves: queue_work
# %% metadata test_queue_work
# {"nbgrader": {"points": "abc", "schema_version": "3", "locked": null}}
# %% metadata test_loops
# {"nbgrader": {"points": null, "grade": "yes", "cell_type": 7}}
