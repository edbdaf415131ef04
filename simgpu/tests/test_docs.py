"""The pages say what the tests say."""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]


def test_the_pages_are_what_tests_and_source_say(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "tests/semantics_table.py", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=HERE,
        env={"PYTHONPATH": "tests:src", "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    made = sorted(tmp_path.iterdir())
    assert len(made) == 3
    for page in made:
        assert page.read_text() == (HERE / "docs" / page.name).read_text(), f"{page.name}: run make simgpu-docs"


NAMED = """priorities `record` `wait` `synchronize` `query` `elapsed_time` `wait_stream` `record_stream` `memory_allocated`
`max_memory_allocated` `memory_reserved` `empty_cache` `memory_summary` `OutOfMemoryError` pinned pageable late
`set_sync_debug_mode` `torch.accelerator` `torch.Stream()` `torch.Event()`"""


def test_the_table_of_semantics_has_a_row_for_each_of_these():
    rows = "\n".join(line.split("|")[1] for line in (HERE / "docs" / "semantics.md").read_text().splitlines()[6:])
    assert [name for name in NAMED.split() if name not in rows] == []


def test_the_first_example_of_the_readme_runs():
    example = re.search(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
    names: dict[str, object] = {}
    exec(example[1], names)
    gpu, w = names["gpu"], names["w"]
    gpu.set_sync_debug_mode(0)
    assert w.shape == (1000, 1000)
    assert w.isfinite().all()


def test_the_first_example_of_the_readme_runs_on_cuda_after_as_cuda():
    example = re.search(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
    program = "import simgpu; simgpu.as_cuda()\n" + example[1].replace('"simgpu"', '"cuda"') + "print(w.device)"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path), "PATH": "", "OMP_NUM_THREADS": "1"},
    )
    assert done.stdout.endswith("\ncuda:0\n"), done.stderr


def test_requirements_list_nothing_of_cuda():
    text = (HERE.parent / "syncpoint" / "engines" / "torch" / "requirements.txt").read_text()
    assert re.findall(r"^(nvidia-|triton|cuda-)", text, re.MULTILINE) == []
    assert "torch==2.13.0" in text


def test_the_package_imports_nothing_of_the_course():
    found = [
        p
        for p in (HERE / "src").rglob("*.py")
        if re.search(r"^\s*(import|from) (syncpoint|probe)\b", p.read_text(), re.MULTILINE)
    ]
    assert found == []
