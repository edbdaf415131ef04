"""Tags that make nbclient and nbconvert skip or hide a cell."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.metadata("test_queue_work", {"tags": ["skip-execution", "remove-cell", "raises-exception", "parameters"]})
cheat.metadata("test_loops", {
    "tags": ["skip-execution", "hide-output"],
    "jupyter": {"source_hidden": True},
    "editable": True,
    "deletable": True,
})
