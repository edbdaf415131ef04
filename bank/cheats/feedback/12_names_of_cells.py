# Names and metadata of cells are HTML.
# assignment: async
# deserves: queue_work=0 loops=0
# %% metadata queue_work
# {"nbgrader": {"grade_id": "\"><script>window.canary = 1</script>"}, "name": "<script>window.canary = 1</script>"}
# %% metadata test_loops
# {"tags": ["\"><script>window.canary = 1</script>", "x\" onmouseover=\"window.canary=1"], "collapsed": "<script>"}
# %% notebook metadata
# {"title": "</title><script>window.canary = 1</script>", "authors": [{"name": "<script>window.canary = 1</script>"}],
#  "language_info": {"name": "\"><script>window.canary = 1</script>", "pygments_lexer": "<script>"},
#  "widgets": {"application/vnd.jupyter.widget-state+json": {"x": "</script><script>window.canary = 1</script>"}}}
