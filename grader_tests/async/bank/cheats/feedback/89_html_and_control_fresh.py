"""HTML, scripts, ANSI, bidi and NUL in output, names and errors."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", r'''
from IPython.display import display, HTML, Javascript
def queue_work(x):
    kind = type("<img src=x onerror=alert(1)>", (), {})
    print("\x1b]0;owned\x07\x1b[2J\x00\u202e<script>alert(2)</script>")
    raise type("<script>alert(3)</script>", (Exception,), {})("</pre><script>alert(4)</script>\x1b[31m\ud800")
display(HTML("<script>document.title='owned'</script><style>body{display:none}</style>"))
display(Javascript("alert(5)"))
display({"text/markdown": "[x](javascript:alert(6))", "image/svg+xml": "<svg onload='alert(7)'/>", "text/latex": "\\href{javascript:alert(8)}{x}"}, raw=True)
''')
