"""Which line of a notebook's cell has enqueued a command."""

import subprocess
import sys

import pytest
import torch
from device import DEVICE, gpu, judge
from simgpu.records import Place

import simgpu
from simgpu import lines, races

CELL = """
import torch
x = torch.ones(4, 4, device=device)
y = x @ x

w = torch.ones(4, 4, device=device, requires_grad=True)
(w * w).sum().backward()
"""


def run(source: str, name: str) -> list[tuple[int, int]]:
    with lines.noted() as found:
        exec(compile(source, name, "exec"), {"device": DEVICE})
    return list(found)


@pytest.mark.parametrize("name", ["/tmp/ipykernel_1/2.py", "<ipython-input-1-a>"])
def test_commands_have_the_line_of_their_cell(name: str):
    assert [line for _, line in run(CELL, name)] == [3, 4, 6, 7]


def test_what_no_cell_has_sent_has_no_line():
    assert run(CELL, "/home/you/train.py") == []


def test_a_cell_that_calls_the_judge_has_sent_nothing():
    judge = {"__name__": "judge.calls"}
    exec("def call(f):\n    return f()", judge)
    cell = {"call": judge["call"], "make": lambda: torch.ones(4, 4, device=DEVICE)}
    with lines.noted("judge.") as found:
        exec(compile("call(make)", "/tmp/ipykernel_1/2.py", "exec"), cell)
    assert found == []
    with lines.noted() as found:
        exec(compile("call(make)", "/tmp/ipykernel_1/2.py", "exec"), cell)
    assert [line for _, line in found] == [1]


def test_nothing_is_noted_behind_the_block():
    found = run(CELL, "/tmp/ipykernel_1/2.py")
    torch.ones(1, device=DEVICE)
    assert len(found) == 4


def test_every_command_of_a_program_has_its_line_and_file(tmp_path):
    program = tmp_path / "train.py"
    program.write_text(CELL)
    since = simgpu.timeline()
    exec(compile(CELL, str(program), "exec"), {"device": DEVICE})
    timeline = simgpu.timeline(since)
    found = [timeline.place(e.number) for e in timeline.entries if e.is_command]
    assert [(place.line, place.file) for place in found][:2] == [(3, str(program)), (4, str(program))]
    assert {place.line for place in found} == {3, 4, 6, 7}


def test_a_race_is_told_with_its_lines():
    race = races.Race("access", 7, first=1, second=2, first_stream=3, second_stream=4, name="aten.add.Tensor")
    places = [Place(1, 3, ""), Place(2, 5, "/home/you/train.py")]
    assert (
        "command 2 (aten.add.Tensor in line 5 of train.py, stream 4) uses memory that command 1 in line 3 on stream 3"
        in race.describe(places=places)
    )
    assert "line" not in race.describe()


NOTEBOOK = """
import sys, torch, simgpu
from IPython.core.interactiveshell import InteractiveShell
from simgpu import lines

shell = InteractiveShell.instance()
shell.push({"ones": torch.ones})
with lines.noted() as judged:
    for cell in ("x = ones(2, device='simgpu')", "y = x + 1", "y = x + 1", "z = x[y.long()]"):
        shell.run_cell(cell, store_history=True)
timeline = simgpu.timeline()
print([timeline.place(e.number).file for e in timeline.entries if e.name in ("aten.fill_.Scalar", "aten.add.Tensor")])
print({line for _, line in judged})
shell.run_cell("z.sum().item()", store_history=True)
"""


def test_a_line_of_a_notebook_is_named_with_its_cell():
    pytest.importorskip("IPython")
    done = subprocess.run([sys.executable, "-c", NOTEBOOK], capture_output=True, text=True)
    cells, judged, *failed = done.stdout.splitlines()
    assert cells == "['Cell In[1]', 'Cell In[2]', 'Cell In[3]']", done.stderr
    assert judged == "{1}"  # a judge shows the cell itself
    assert "launched earlier in line 1 of Cell In[4] has failed" in "".join(failed)


REUSE = """
with gpu.stream(side):
    y = w @ w
    y = x + y
del x
z = torch.full((600, 600), 7.0, device=device)
gpu.synchronize()
"""


def test_a_race_for_memory_names_the_line_that_takes_it_again():
    gpu.synchronize()
    start, side = judge.state().log, gpu.Stream()
    w, x = (torch.ones(600, 600, device=DEVICE) for _ in range(2))
    names = {"torch": torch, "device": DEVICE, "gpu": gpu, "side": side, "w": w, "x": x}
    del x
    gpu.synchronize()
    exec(compile(REUSE, "/home/you/train.py", "exec"), names)
    (race,) = races.find(judge.log(start))
    said = race.describe(places=simgpu.timeline().places)
    assert f"command {race.second} (aten.fill_.Scalar in line 6 of train.py, stream 0) allocates memory" in said
    assert f"that command {race.first} (aten.add.Tensor) in line 4 of train.py on stream {side.stream_id}" in said


def test_an_allocation_that_nothing_uses_has_no_line():
    race = races.Race("reuse", 7, first=1, second=2, first_stream=3, second_stream=4, name="")
    said = race.describe(places=[Place(1, 3, "/home/you/train.py")])
    assert "(an allocation, stream 4) allocates memory that command 1 in line 3 of train.py" in said


def test_a_late_error_names_the_line_that_launched_the_command():
    cell = "x = torch.ones(4, device=device)\n\ny = x[index]\nz = y + 1\ngpu.synchronize()\n"
    names = {"torch": torch, "device": DEVICE, "gpu": torch.get_device_module(DEVICE)}
    names["index"] = torch.tensor([5], device=DEVICE)
    for file, words in (
        ("/tmp/ipykernel_1/2.py", " in line 3 has"),
        ("/home/you/train.py", " in line 3 of train.py has"),
    ):
        with pytest.raises(simgpu.LateError, match=f"launched earlier{words} failed"):
            exec(compile(cell, file, "exec"), names)
