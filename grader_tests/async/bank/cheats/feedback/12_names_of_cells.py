"""Names and metadata of cells are HTML."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.metadata("queue_work", {
    "nbgrader": {"grade_id": '"><script>window.canary = 1</script>'},
    "name": "<script>window.canary = 1</script>",
})
cheat.metadata("test_loops", {
    "tags": ['"><script>window.canary = 1</script>', 'x" onmouseover="window.canary=1'],
    "collapsed": "<script>",
})
cheat.notebook_metadata({
    "title": "</title><script>window.canary = 1</script>",
    "authors": [{"name": "<script>window.canary = 1</script>"}],
    "language_info": {"name": '"><script>window.canary = 1</script>', "pygments_lexer": "<script>"},
    "widgets": {
        "application/vnd.jupyter.widget-state+json": {"x": "</script><script>window.canary = 1</script>"}
    },
})
