"""The answer of overlap_report for pieces of work that the check has ordered by waits, while the device is held."""

import torch
from syncpoint_check import core, hint, saw

GPU = torch.get_device_module("simgpu")


def pieces(probe, order):
    """Call overlap_report with pieces of work that begin and end in this order: each name is in it twice."""
    names = sorted(set(order))
    with probe.run() as seen:
        with seen.traced():
            x = torch.ones(3, 3, device="simgpu")
            spans = {name: (GPU.Event(enable_timing=True), GPU.Event(enable_timing=True)) for name in names}
            for name in names:
                with GPU.stream(GPU.Stream()):
                    for event in spans[name]:
                        x @ x
                        event.record()
            for place, name in enumerate(order):
                spans[name][name in order[:place]].synchronize()  # what is held runs when somebody waits for it
        pairs = seen.call(probe.find("overlap_report"), dict(spans))
        told = None if seen.error else [sorted(map(str, pair)) for pair in pairs]
    return seen.report(pairs=told)


def told(student, order):
    """The pairs that the report names, and the log."""
    seen = student.results_gated.observe("pieces", order=order)
    return {tuple(pair) for pair in seen["pairs"]}, seen["events"]


@core
@hint("Two pieces of work overlap if each of them begins before the other one ends.")
def test_pieces_that_overlap(student):
    """Where a copy and a step overlap, one inside the other or not, the report names both."""
    for order in (["copy", "step", "copy", "step"], ["step", "copy", "copy", "step"]):
        pairs, events = told(student, order)
        with saw("The copy ended after the step had begun. Pairs in your report: {count}.", events, count=len(pairs)):
            assert pairs == {("copy", "step")}


@core
@hint("Compare each piece of work with every other one, not only with the next.")
def test_several_pieces(student):
    """Where a long step overlaps two copies that do not overlap, the report names two pairs."""
    pairs, events = told(student, ["step", "copy 1", "copy 1", "copy 2", "copy 2", "step"])
    with saw("Two copies, one after the other, in one step. Pairs in your report: {count}.", events, count=len(pairs)):
        assert pairs == {("copy 1", "step"), ("copy 2", "step")}


@core
@hint("Two pieces of work overlap if each of them begins before the other one ends.")
def test_pieces_in_turn(student):
    """Where each piece ends before the next one begins, the report is empty."""
    pairs, events = told(student, ["step", "step", "copy", "copy", "save", "save"])
    with saw("Each piece ended before the next one began. Pairs in your report: {count}.", events, count=len(pairs)):
        assert not pairs
