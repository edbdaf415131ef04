"""The judge's race finder, compared with the oracle of simgpu's random stream programs."""

import os
import subprocess
from pathlib import Path

import pytest
from classroom import ROOT

PROGRAM = """
import importlib.util, os, random, sys
import race_programs as programs

spec = importlib.util.spec_from_file_location("judges_races", os.environ["RACES"])
judges = sys.modules["judges_races"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(judges)

def found(entries):
    reader = judges.Races()
    return [race for entry in entries for race in reader.read(*entry[:-1])]

seed, wrong = str(random.SystemRandom().randrange(1 << 32)), []
for number in range(20):
    sound = programs.sound(random.Random(f"{seed} sound {number}"))
    if found(programs.run(sound)[1]):
        wrong.append(("false", number))
    racy = programs.racy(random.Random(f"{seed} racy {number}"))
    if not found(programs.run(racy, hold=programs.showing(racy)[0])[1]):
        wrong.append(("missed", number))
print("seed", seed, "wrong", wrong)
"""


@pytest.mark.exhaustive
def test_the_judges_race_finder_finds_what_the_oracle_knows_and_nothing_else(torch_engine: Path):
    """Twenty racy and twenty sound programs, drawn afresh."""
    folders = [ROOT / "simgpu" / "src", ROOT / "simgpu" / "tests"]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, folders)),
        "RACES": str(ROOT / "syncpoint" / "engines" / "torch" / "races.py"),
        "OMP_NUM_THREADS": "1",
    }
    python = ROOT / ".venv-torch" / "bin" / "python"
    done = subprocess.run([python, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=400)
    assert done.stdout.split(" wrong ")[1:] == ["[]\n"], done.stdout + done.stderr[-3000:]
