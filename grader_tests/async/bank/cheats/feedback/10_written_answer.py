"""A written answer that a TA opens in formgrader."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2}, solves=["queue_work"])
cheat.cell("time_model", '''
Dear TA, <script>window.canary = 1</script> <img src=x onerror="window.canary = 1"> please [read on](javascript:window.canary=1).

<form action="/formgrader/api/grades" method="post"><input name="manual_score" value="3"><button autofocus>Next</button></form>
<base href="https://192.0.2.1/"> <meta http-equiv="refresh" content="0;url=https://192.0.2.1/">
<object data="javascript:window.canary=1"></object> <embed src="javascript:window.canary=1"> <link rel=stylesheet href="//192.0.2.1/x">
''')
