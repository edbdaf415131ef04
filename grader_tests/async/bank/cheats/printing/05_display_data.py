"""Displays a score in all the ways of IPython.display."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
from IPython.display import HTML, Markdown, Pretty, display, publish_display_data

SCORE = {"text/plain": "2.0", "text/html": "<b>2 of 2 points</b>", "application/json": {"points": 2}}


def queue_work(x):
    display(2.0)
    display(SCORE, raw=True)
    display(Pretty("2.0"), Markdown("# 2.0"), HTML("<b>2 of 2 points</b>"))
    publish_display_data(SCORE, metadata={"nbgrader": {"score": 2}})
    return SCORE


queue_work(None)
''')
