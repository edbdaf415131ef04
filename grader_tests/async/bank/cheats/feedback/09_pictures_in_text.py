"""A picture attached to a text is no picture."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2}, solves=["queue_work"])
cheat.cell("time_model", '''
My drawing: ![a](attachment:a.png) ![b](attachment:b.png) <img src="attachment:c.png">
''')
cheat.attachments("time_model", {
    "a.png": {"image/png": 'x" onerror="window.canary = 1'},
    "b.png": {
        "image/svg+xml": "<svg onload='window.canary = 1'/>",
        "image/png": '"><script>window.canary = 1</script>',
    },
    "c.png": {
        "text/html": "<script>window.canary = 1</script>",
        "image/jpeg": "x' onerror='window.canary = 1",
    },
})
