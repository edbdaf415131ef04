"""Displays HTML, JavaScript, SVG, Markdown, LaTeX and what else a browser might run."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2}, solves=["queue_work"])
cheat.last(r'''
from IPython.display import HTML, SVG, Javascript, Latex, Markdown, display

RUN = "<script>window.canary = 1</script><img src=x onerror='window.canary = 1'>"
display(HTML(RUN), Markdown(RUN), Latex(f"$\\href{{javascript:window.canary=1}}{{x}}$ {RUN}"))
display(Javascript("window.canary = 1"), SVG("<svg xmlns='http://www.w3.org/2000/svg' onload='window.canary = 1'/>"))
for kind in ("text/html", "application/javascript", "application/vnd.jupyter.widget-view+json", "text/vnd.mermaid", "text/plain"):
    display({kind: RUN}, raw=True, metadata={kind: {"isolated": True}, "filenames": {"image/png": RUN}})
''')
