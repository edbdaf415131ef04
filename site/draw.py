"""Draws the pictures of released notebooks that need no engine, and says in words what is on them.

Reads from standard input a list of `{"folder": ..., "statements": [...]}`, writes each picture into the folder that is
named on the command line, and prints for each folder, in the same order, the pictures of its statements:
`{"statement": {"file": ..., "alt": ...}}`.  A statement that draws nothing here is left out.
"""

import importlib
import json
import os
import sys
import warnings
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

matplotlib.rcParams["svg.fonttype"] = "path"
matplotlib.rcParams["svg.hashsalt"] = "syncpoint"


def words(figure) -> str:
    """All that is written in a picture, for whoever does not see it."""
    found = [figure.get_suptitle()]
    for axes in figure.axes:
        found += [axes.get_title(loc=place) for place in ("left", "center", "right")]
        ticks = [*axes.get_yticklabels(), *axes.get_xticklabels()] if axes.axison else []
        found += [text.get_text() for text in (*ticks, *axes.texts)]
    return ". ".join(dict.fromkeys(" ".join(text.split()) for text in found if text.strip()))


def drawn(folder: str, statement: str, file: Path) -> str:
    """Run a statement such as `pictures.draw_graph()` of a folder, keep its picture; "" if there is none."""
    name = statement.split(".")[0]
    said = []

    def keep(*_: object, **__: object) -> None:
        said.append(words(plt.gcf()))
        plt.savefig(file, bbox_inches="tight", metadata={"Date": None})
        plt.close("all")

    plt.show = keep
    before = set(sys.modules)
    sys.path.insert(0, folder)
    try:
        exec(statement, {name: importlib.import_module(name)})
    except ImportError:  # it needs the engine
        return ""
    finally:
        sys.path.remove(folder)
        for new in set(sys.modules) - before:  # the next folder has a module of the same name
            if str(getattr(sys.modules[new], "__file__", "")).startswith(folder):
                del sys.modules[new]
    return said[0] if len(said) == 1 else ""


def main() -> None:
    """Draw what is asked for."""
    into = Path(sys.argv[1])
    answers = []
    sys.dont_write_bytecode = True
    warnings.simplefilter("ignore", UserWarning)  # a sign that no font has
    os.environ.pop("NBGRADER_EXECUTION", None)
    for number, wanted in enumerate(json.load(sys.stdin)):
        found = {}
        for place, statement in enumerate(wanted["statements"]):
            file = into / f"{number}-{place}.svg"
            if alt := drawn(wanted["folder"], statement, file):
                found[statement] = {"file": str(file), "alt": alt}
        answers.append(found)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
