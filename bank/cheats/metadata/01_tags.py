# Tags that make nbclient and nbconvert skip or hide a cell.
# assignment: async
# deserves: queue_work=0 loops=0
# %% metadata test_queue_work
# {"tags": ["skip-execution", "remove-cell", "raises-exception", "parameters"]}
# %% metadata test_loops
# {"tags": ["skip-execution", "hide-output"], "jupyter": {"source_hidden": true}, "editable": true, "deletable": true}
