"""Widths, heights and texts of pictures, ids of widgets, diagrams and terminals that break out of their attribute."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2}, solves=["queue_work"])
cheat.last(r'''
from IPython.display import display

EVIL = "<img src=x onerror=window.canary=1>"
display({"text/vnd.mermaid": f"</pre>{EVIL}<script>window.canary=1</script>", "text/plain": "a"}, raw=True)
display({"image/png": "iVBORw0KGgo=", "text/plain": "b"}, raw=True,
        metadata={"image/png": {"width": "1 onerror=window.canary=1 x=", "height": '"><script>window.canary=1</script>', "alt": '"><script>window.canary=1</script>'}})
display({"image/svg+xml": f"<svg xmlns='http://www.w3.org/2000/svg' onload='window.canary=1'><foreignObject>{EVIL}</foreignObject></svg>", "text/plain": "c"}, raw=True)
display({"application/vnd.jupyter.widget-view+json": {"model_id": "</script><script>window.canary=1</script>", "version_major": 2, "version_minor": 0}, "text/plain": "d"}, raw=True)
display({"text/latex": r"$\require{html}\href{javascript:window.canary=1}{x}\style{position:fixed}{y}$" + EVIL, "text/plain": "e"}, raw=True)
display({"application/javascript": "window.canary=1", "text/plain": "f"}, raw=True)
display({"text/markdown": f"{EVIL}\n```mermaid\n<script>window.canary=1</script>\n```", "text/plain": "g"}, raw=True)
print("\x1b]8;;javascript:window.canary=1\x1b\\link\x1b]8;;\x1b\\ \x1b[38;2;255;0;0;\"onmouseover=window.canary=1mred")
''')
