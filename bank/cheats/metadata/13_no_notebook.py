# A file that is the result, and no notebook.
# assignment: async
# deserves: queue_work=0 loops=0
# %% raw
{"syncpoint": {"points": 6}, "score": 6, "max_score": 6}
