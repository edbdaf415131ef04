"""Data between judge and probe: values return unchanged, and nothing else gets in."""

import io
import random
from collections import OrderedDict, defaultdict
from typing import NamedTuple

import numpy as np
import pytest

from syncpoint.observe.errors import BadReply
from syncpoint.observe.observation import parse_observation
from syncpoint.probe.serialization import MAX_KEYS, Device, EngineArray, Opaque, decode, encode


def _there_and_back(value):
    buffers = []
    return decode(encode(value, buffers), buffers)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -1.5,
        2**60,
        -(2**200),
        "text \u00e9\u4e2d",
        "",
        [],
        [1, [2, [3]]],
        (),
        (1, ("a", None)),
        {},
        {"a": 1, 2: [3], (4, 5): "six"},
        {"array": 1, "opaque": 2},
        {"kind": {"numpy": 0}},
        float("inf"),
    ],
)
def test_plain_values_return_as_they_were(value):
    back = _there_and_back(value)
    assert (back, type(back)) == (value, type(value))


def test_not_a_number_stays_one():
    assert np.isnan(_there_and_back(float("nan")))


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "uint8", "float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3, 4)])
def test_arrays_return_as_they_were(dtype, shape):
    array = np.ones(shape, dtype=dtype)
    back = _there_and_back([array])[0]
    assert (back.dtype, back.shape, back.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_a_transposed_array_keeps_its_values():
    array = np.arange(6).reshape(2, 3).T
    assert np.array_equal(_there_and_back(array), array)


def test_a_numpy_scalar_stays_a_numpy_scalar():
    back = _there_and_back(np.float32(1.5))
    assert (type(back), back) == (np.float32, 1.5)


def test_a_text_of_numpy_crosses_as_a_text():
    back = _there_and_back(list(np.char.add("F", np.arange(2).astype(str))))
    assert (back, {type(text) for text in back}) == (["F0", "F1"], {str})


def test_who_is_made_from_a_text_of_numpy_is_not_taken_for_one():
    class Deceit(np.str_):
        def __eq__(self, other):
            return True

        __hash__ = np.str_.__hash__

    assert isinstance(_there_and_back(Deceit("F0")), Opaque)


def test_an_engine_array_keeps_device_and_gate():
    back = _there_and_back(EngineArray(np.arange(3), device=2, gated=True))
    assert (back.values.tolist(), back.device, back.gated) == ([0, 1, 2], 2, True)


def test_an_engine_array_keeps_its_gradient():
    back = _there_and_back(EngineArray(np.arange(3), gradient=np.ones(3)))
    assert back.gradient.tolist() == [1, 1, 1]


def test_an_engine_array_without_gradient_stays_without():
    assert _there_and_back(EngineArray(np.arange(3))).gradient is None


def test_a_device_stays_a_device():
    assert _there_and_back([Device(0), {"on": Device(3)}]) == [Device(0), {"on": Device(3)}]


@pytest.mark.parametrize("value", [object(), {1, 2}, lambda: 0, type, 1j, b"bytes", np.array([object()])])
def test_anything_else_crosses_as_the_name_of_its_type(value):
    assert isinstance(_there_and_back(value), Opaque)


def test_what_cannot_be_written_or_named_crosses_all_the_same():
    class Nameless(type):
        __module__ = property(lambda self: 1 / 0)  # type: ignore[assignment]

    class Odd(metaclass=Nameless):
        pass

    assert encode([10**5000, Odd()], []) == [{"opaque": "int"}, {"opaque": "?"}]


def test_a_subclass_is_not_taken_for_its_parent():
    class Deceit(float):
        def __eq__(self, other):
            return True

        __hash__ = float.__hash__

    assert isinstance(_there_and_back(Deceit(1)), Opaque)


def test_a_subclass_of_a_container_crosses_as_the_container():
    class Pair(NamedTuple):
        left: int
        right: int

    counted = defaultdict(list, {"a": [1]})
    assert _there_and_back([counted, OrderedDict(b=2), Pair(1, 2)]) == [{"a": [1]}, {"b": 2}, (1, 2)]


def test_a_container_is_read_without_its_own_code():
    class Deceit(dict):
        def items(self):
            return [("forged", True)]

        def __len__(self):
            return 1

    assert _there_and_back(Deceit(honest=1)) == {"honest": 1}


class SaysNumpy:
    __class__ = property(lambda self: np.ndarray)
    dtype = np.dtype("float32")

    def __array__(self, *_, **__):
        raise AssertionError("its own code ran")


class OwnNumber(np.float32):
    __array__ = SaysNumpy.__array__


class OwnArray(np.ndarray):
    __array__ = SaysNumpy.__array__


class Unreadable:
    @property
    def __class__(self):
        raise KeyboardInterrupt


@pytest.mark.parametrize("make", [SaysNumpy, lambda: OwnNumber(1), Unreadable], ids=["array", "number", "neither"])
def test_what_says_that_it_is_an_array_or_a_number_is_not_believed(make):
    assert isinstance(_there_and_back(make()), Opaque)


def test_a_subclass_of_an_array_crosses_as_the_numbers_that_it_holds():
    returned = _there_and_back(np.arange(3).view(OwnArray))
    assert type(returned) is np.ndarray and returned.tolist() == [0, 1, 2]


@pytest.mark.parametrize("spec", [EngineArray(np.ones(2)), Device(1)])
def test_only_the_engine_makes_plain_forms(spec):
    assert "opaque" not in encode(spec, [], lambda value: spec)
    assert "opaque" in encode(spec, [], lambda value: None)


@pytest.mark.exhaustive
def test_a_list_that_holds_itself_several_times_ends():
    endless: list[object] = []
    endless += [endless] * 3
    assert "too many items" in str(encode(endless, []))


def test_endless_nesting_ends():
    endless = []
    endless.append(endless)
    assert "nested too deep" in str(_there_and_back(endless))


# --- hostile data -------------------------------------------------------------------------------------------------


def _npy(array, **options):
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


def _header(text):
    body = text.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(body).to_bytes(2, "little") + body


def _nested(depth):
    data = []
    for _ in range(depth):
        data = [data]
    return data


HOSTILE = {
    "nested too deep": (_nested(100), []),
    "a missing buffer": ({"numpy": 0}, []),
    "a negative buffer": ({"numpy": -1}, [_npy(np.ones(1))]),
    "a buffer of another type": ({"numpy": True}, [_npy(np.ones(1))]),
    "a buffer that is no array": ({"numpy": 0}, [b"not an array"]),
    "an empty buffer": ({"numpy": 0}, [b""]),
    "a truncated array": ({"numpy": 0}, [_npy(np.ones(100))[:-1]]),
    "a pickle": ({"numpy": 0}, [_npy(np.array([print]), allow_pickle=True)]),
    "a bare pickle": ({"numpy": 0}, [b"\x80\x04N."]),
    "an array of objects": ({"numpy": 0}, [_header("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}")]),
    "an archive of arrays": ({"numpy": 0}, [b"PK\x03\x04" + bytes(100)]),
    "a claim of a huge array": (
        {"numpy": 0},
        [_header("{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000,)}") + bytes(8)],
    ),
    "a claim of an impossible shape": (
        {"numpy": 0},
        [_header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 3)}") + bytes(24)],
    ),
    "an unknown kind": ({"function": "os.system"}, []),
    "two kinds": ({"tuple": [], "opaque": ""}, []),
    "no kind": ({}, []),
    "a device that is no number": ({"device": "0"}, []),
    "a gradient that is missing": ({"array": 0, "gradient": 1}, [_npy(np.ones(1))]),
    "a device of another type": ({"array": 0, "device": "0"}, [_npy(np.ones(1))]),
    "no number": ({"float": "many"}, []),
    "no integer": ({"integer": "0x"}, []),
    "a tuple of nothing": ({"tuple": None}, []),
    "a dict of nothing": ({"dict": 5}, []),
    "a dict of singles": ({"dict": [[1]]}, []),
    "a dict with a key that cannot be one": ({"dict": [[[], 1]]}, []),
    "not JSON": (object(), []),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data_is_a_value_error(name):
    data, buffers = HOSTILE[name]
    with pytest.raises(ValueError, match=r"."):
        decode(data, buffers)


def test_random_data_is_a_value_or_a_value_error():
    dice = random.Random(7)
    kinds = "array numpy scalar integer float tuple dict opaque device gated gradient other".split()

    def anything(depth=0):
        choice = dice.randrange(9 if depth < 5 else 6)
        if choice < 6:
            return (None, True, dice.randrange(-3, 3), dice.random(), dice.choice(kinds), "")[choice]
        if choice == 6:
            return [anything(depth + 1) for _ in range(dice.randrange(4))]
        return {dice.choice(kinds): anything(depth + 1) for _ in range(dice.randrange(3))}

    whole = _npy(np.ones(3))
    others = []
    for _ in range(20_000):
        data = anything()
        try:
            decode(data, [whole, whole[: dice.randrange(len(whole))]])
        except ValueError:
            pass
        except Exception as error:
            others.append((data, error))
    assert others == []


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"returned": None},
        {"returned": None, "arguments_after": []},
        {"returned": None, "arguments_after": 5, "inputs_after": []},
        {"returned": None, "arguments_after": [], "inputs_after": 5},
        {"returned": None, "arguments_after": [], "inputs_after": [], "pending": 5},
        {"returned": None, "arguments_after": [], "inputs_after": [], "events": [{}]},
        {"returned": None, "arguments_after": [], "inputs_after": [], "events": [5]},
        {"returned": {"numpy": 3}, "arguments_after": [], "inputs_after": []},
        {"error": "no"},
        {"error": {}},
    ],
)
def test_a_forged_reply_is_a_bad_reply(content):
    with pytest.raises(BadReply):
        parse_observation(content, [], "")


def test_a_dict_with_too_many_keys_is_refused():
    # All these keys have one hash: a dict of a hundred thousand of them would take hours to build.
    data = {"dict": [[{"integer": str(number * (2**61 - 1))}, 0] for number in range(MAX_KEYS + 1)]}
    with pytest.raises(ValueError, match="too many keys"):
        decode(data, [])
