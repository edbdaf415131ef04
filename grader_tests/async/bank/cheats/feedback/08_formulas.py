"""Formulas, which a script of the page makes into HTML."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2}, solves=["queue_work"])
cheat.note("markdown", r'''
$\href{javascript:window.canary=1}{x}$ $$\require{html}\style{background:url(javascript:window.canary=1)}{x}$$
$\unicode{<script>window.canary = 1</script>}$ $<img src=x onerror="window.canary = 1">$

$$\text{</div><script>window.canary = 1</script>}$$ \\(<svg onload=window.canary=1>\\)

\begin{align} x <script>window.canary = 1</script> \end{align}
''')
