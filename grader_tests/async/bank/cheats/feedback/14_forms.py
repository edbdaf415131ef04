"""Text that sends, loads or leads away by itself, without a word of script in it."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2}, solves=["queue_work"])
cheat.cell("time_model", '''
<form action="/formgrader/api/grades" method="post"><input name="manual_score" value="3"><button autofocus>Next</button></form>

<base href="https://192.0.2.1/"> <meta http-equiv="refresh" content="0;url=https://192.0.2.1/"> <iframe src="//192.0.2.1/"></iframe>

<img src=x onerror="window.canary = 1"> <svg onload="window.canary = 1"></svg> <body onload="window.canary = 1">
''')
cheat.note("markdown", '''
<script src="//192.0.2.1/x.js"></script> <link rel="stylesheet" href="//192.0.2.1/x.css"> <object data="//192.0.2.1/x"></object>

<video autoplay onplay="window.canary = 1" src="//192.0.2.1/x"></video> <details open ontoggle="window.canary = 1">x</details>
''')
