"""The rules that change a student's code: what they find, and that all other lines stay where they are."""

import pytest
from classroom import ROOT

from syncpoint.check.edits import statements, swapped, without
from syncpoint.viva.changes import changes

PREFETCHER = """\
def prefetcher(batches):
    copying = gpu.Stream()
    for host in batches:
        with gpu.stream(copying):
            x = host.pin_memory().to(
                device, non_blocking=True
            )
        gpu.current_stream().wait_stream(copying)
        x.record_stream(gpu.current_stream())
        yield x
    gpu.synchronize()
"""
BANK = sorted(ROOT.glob("grader_tests/torch_*/bank/*/*_ok_*.py"))


def of_rule(source: str, rule: str) -> list[str]:
    """The changed codes of a rule."""
    return [one.edit.source for one in changes(source, "gpu.synchronize()") if one.rule == rule]


def test_a_wait_an_order_and_record_stream_are_left_out():
    (without_order,) = of_rule(PREFETCHER, "without_order")
    assert without_order.split("\n")[7] == "        pass"
    assert of_rule(PREFETCHER, "without_record_stream")[0].split("\n")[8] == "        pass"
    assert of_rule(PREFETCHER, "without_wait")[0].split("\n")[10] == "    pass"


def test_a_block_runs_on_the_current_stream():
    (changed,) = of_rule(PREFETCHER, "no_stream")
    assert changed.split("\n")[3] == "        if True:  # on the current stream"


def test_a_copy_blocks_and_memory_is_not_pinned():
    (blocking,) = of_rule(PREFETCHER, "without_non_blocking")
    assert "non_blocking" not in blocking
    (pageable,) = of_rule(PREFETCHER, "not_pinned")
    assert "pin_memory" not in pageable and "non_blocking=True" in pageable


def test_a_bound_is_off_by_one():
    source = "def f(queue, most):\n    if len(queue) == most:\n        queue.popleft().synchronize()\n"
    assert {changed.split("\n")[1].strip() for changed in of_rule(source, "bound")} == {
        "if len(queue) == most - 1:",
        "if len(queue) == most + 1:",
    }


def test_a_wait_moves_out_of_a_loop_and_into_it():
    source = (
        "def f(xs):\n    for x in xs:\n        y = x + 1\n        gpu.synchronize()\n    done.wait()\n    return y\n"
    )
    assert of_rule(source, "out_of_loop")[0].split("\n")[3] == "    gpu.synchronize()"
    assert of_rule(source, "into_loop")[0].split("\n")[4] == "        done.wait()"


def test_the_buckets_are_gone_through_from_the_other_end():
    assert "reversed(list(buckets))" in of_rule("for b in buckets:\n    f(b)\n", "turned")[0]
    assert "for b in buckets:" in of_rule("for b in reversed(buckets):\n    f(b)\n", "turned")[0]


@pytest.mark.sample(12)
@pytest.mark.parametrize("path", BANK, ids=lambda path: f"{path.parents[2].name}/{path.parent.name}/{path.stem}")
def test_each_change_of_a_right_solution_is_python_with_as_many_lines_and_differs(path):
    source = path.read_text()
    for one in changes(source, "gpu.synchronize()"):
        old, new = source.split("\n"), one.edit.source.split("\n")
        compile(one.edit.source, "cell", "exec")
        assert len(old) == len(new)
        different = [number for number, (was, now) in enumerate(zip(old, new, strict=True), 1) if was != now]
        assert different and one.edit.first <= different[0] and different[-1] <= one.edit.last


def test_swapped_lines_know_their_old_numbers():
    source = "a = 1\n# between\nb = (\n    2\n)\n"
    edit = swapped(source, statements(source)[0])
    assert edit.source == "b = (\n    2\n)\n# between\na = 1\n"
    assert [edit.old(line) for line in range(1, 6)] == [3, 4, 5, 2, 1]


def test_a_statement_of_several_lines_is_left_out_without_moving_others():
    source = "f(\n    1,\n)\ng()\n"
    assert without(source, statements(source)[0]).source == "pass\n\n\ng()\n"


@pytest.mark.parametrize("source", ["", "%time f()", "def f(:", "x = 1; y = 2", "\0", "f(" * 5000, "lambda: 0"])
def test_code_that_cannot_be_changed_has_no_changes(source):
    assert changes(source) == []


def test_lines_that_hold_several_statements_are_left_alone():
    assert [one.first for one in statements("a = 1; b = 2\nif a: b = 3\nc = 4\n") if one.is_simple] == [3]


def test_a_cell_with_thousands_of_statements_has_a_bounded_number_of_changes():
    assert len(changes("def f():\n" + "    gpu.synchronize()\n" * 200)) <= 100


def test_a_change_knows_whether_it_only_leaves_out_a_wait_and_whether_anybody_can_answer():
    found = {one.rule: one for one in changes(PREFETCHER, "gpu.synchronize()")}
    for rule in ("without_wait", "without_order", "without_record_stream"):
        assert found[rule].only_waits and not found[rule].plain
    assert not found["wait_added"].only_waits
    source = "def f():\n    pool.submit(work).result()\n    optimizer.step()\n    optimizer.zero_grad()\n    return 1\n"
    without = {one.code: one for one in changes(source) if one.rule.startswith("without")}
    assert not without["pool.submit(work).result()"].only_waits
    swapped_ones = {
        one.code: one.only_waits
        for one in changes("def f():\n    a = g(x)\n    y.wait()\n    b = h.step()\n    c = k.step()\n")
        if one.rule == "swapped"
    }
    assert swapped_ones == {
        "a = g(x) y.wait()": True,
        "y.wait() b = h.step()": True,
        "b = h.step() c = k.step()": False,
    }
    assert without["optimizer.step()"].plain and not without["optimizer.zero_grad()"].plain


def test_code_without_a_keyword_is_as_the_student_wrote_it_and_a_bound_is_a_number():
    assert of_rule("y = x.to('cpu', non_blocking=True)\n", "without_non_blocking") == ["y = x.to('cpu')\n"]
    assert {changed.split(":")[0] for changed in of_rule("if len(q) == 2:\n    f()\n", "bound")} == {
        "if len(q) == 1",
        "if len(q) == 3",
    }
