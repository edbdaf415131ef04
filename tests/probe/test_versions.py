"""The inputs of an array: the order in which the engine must do the work, from versions of storages."""

import importlib.util

import pytest
from classroom import ROOT


@pytest.fixture
def versions():
    """A new record.  The package around the module imports MXNet, which these tests do not need."""
    path = ROOT / "syncpoint" / "engines" / "mxnet" / "inside" / "versions.py"
    spec = importlib.util.spec_from_file_location("versions_of_mxnet", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Versions()


X, Y, Z, W = 10, 20, 30, 40  # storages


def test_a_result_needs_all_that_it_was_made_from(versions):
    argument, first = versions.note_write([X]), versions.note_write([Y], [X])
    second = versions.note_write([Z], [Y])
    beside = versions.note_write([W], [X])
    assert versions.needed_for([Z]) == {argument, first, second}
    assert versions.needed_for([W]) == {argument, beside}


def test_a_gate_that_closes_behind_a_result_is_not_needed_for_it(versions):
    early, result = versions.note_write([X]), versions.note_write([Y], [X])
    late = versions.note_write([X])
    assert versions.needed_for([Y]) == {early, result}
    assert versions.needed_for([X]) == {early, result, late}  # what reads an array comes before what writes it next


def test_what_is_written_in_place_needs_what_was_there_before(versions):
    before = versions.note_write([W])
    update = versions.note_write([W], [X])
    assert versions.needed_for([W]) == {before, update}


def test_an_array_in_the_memory_of_another_needs_nothing_newer(versions):
    loss, mean = versions.note_write([X]), versions.note_write([Y], [X])
    newer = versions.note_write([Y])  # the memory of the mean, given back and used for the next batch
    of_newer = versions.note_write([Z], [Y])
    late_mean = versions.note_write([W], [X])
    assert versions.needed_for([W]) == {loss, late_mean}
    assert {loss, mean, newer, of_newer} == versions.needed_for([Z])


def test_after_what_tells_no_operands_nothing_is_known(versions):
    versions.note_write([X])
    versions.forget()
    assert versions.needed_for([X]) == set()
    assert versions.of(X, 7) == 7
