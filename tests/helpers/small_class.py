"""A sample class for the small course: its class.toml and the one bank file that it names."""

from pathlib import Path

from classroom import BIN, SmallCourse

WAITS = """\
# BANK-COMMENT: waits.
# breaks: does not wait
def queue_work(x):
    y = nd.dot(x, x).sum()
    y.wait_to_read()
    return y
"""
CLASS = """
[budget]
seconds = 60
memory_mib = 1024

[limits]
cell_seconds = 9

[essays]
why = "Because it is so."

[[students]]
name = "right"

[[students]]
name = "waits"
did = "waits for its result"
answers.queue_work = "11_bad_waits"
essays.why = "I do not know."

[[students]]
name = "broken"
spoil = "syntax_error"
at = "double"

[[students]]
name = "idle"
solves = false
"""
EARNED = {"demo_right": (4, 2), "demo_waits": (1, 2), "demo_broken": (4, 0), "demo_idle": (0, 0)}


def add_class(course: SmallCourse, text: str = CLASS) -> Path:
    """Write the class.toml and the bank file; returns the former."""
    bank = course.root / "grader_tests" / "async" / "bank"
    (bank / "queue_work").mkdir(parents=True, exist_ok=True)
    (bank / "queue_work" / "11_bad_waits.py").write_text(WAITS)
    (bank / "class.toml").write_text(text)
    return bank / "class.toml"


def syncpoint(course: SmallCourse, *arguments: str) -> tuple[int, str, str]:
    """Run ``syncpoint ...`` in the course: exit status, output, errors."""
    done = course.run(str(BIN / "syncpoint"), *arguments)
    return done.returncode, done.stdout, done.stderr
