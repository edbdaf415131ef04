"""The values passed between judge and probe: JSON for structure, npy buffers for arrays, never a pickle.

Both sides import this module; it knows numpy and nothing of any engine.
"""

import io
import math
from dataclasses import dataclass
from typing import Any, Callable, Optional

import numpy as np
from numpy.lib import format as npy

MAX_DEPTH = 20
MAX_ITEMS = 500_000  # in one value: a list may contain itself several times
MAX_BITS = 1024  # of an integer: Python refuses to write longer ones
MAX_KEYS = 1000  # keys of one dict: they may be chosen to have the same hash

# Private references: student code may replace the module's attributes later.
_asarray, _save, _ndarray, _numpy_text, _text = np.asarray, np.save, np.ndarray, np.str_, str.__str__
# NumPy's own number types: a student's subclass may contain and report anything.
_SCALARS = frozenset(np.sctypeDict.values())


@dataclass(frozen=True)
class EngineArray:
    """An array that is, or will be, in the engine.

    Attributes:
        values: Values of any shape, with a type whose kind is one of "biuf".
        device: The number of its device.
        gated: For an argument, whether it stays pending until the student's code waits for it.
        gradient: The content of its gradient buffer, with the shape of the values; None if it has none.
        number: The array's number in the log of the call if the judge read it in an engine's process; else 0.
        look: For an argument in an engine's process, whether a scenario may read its numbers without a wait.
    """

    values: np.ndarray
    device: int = 0
    gated: bool = False
    gradient: Optional[np.ndarray] = None
    number: int = 0
    look: bool = False

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self.values, dtype=dtype)


@dataclass(frozen=True)
class Device:
    """A place that has arrays and runs operations.

    Attributes:
        number: 0 is the host, 1, 2, ... are the accelerators.
    """

    number: int


@dataclass(frozen=True)
class Handle:
    """An array in the engine's process, described by the student's side in numbers that are not trusted.

    Attributes:
        storage: The number of its memory.
        layout: What the engine needs to read an array there: type, sizes, strides, offset; plain data.  The engine
            checks both before it reads.
        gradient: Of its gradient buffer, None where it has none.
    """

    storage: int
    layout: tuple[Any, ...] = ()
    device: int = 1
    gradient: Optional["Handle"] = None


@dataclass(frozen=True)
class Moment:
    """The time of an engine's event, in seconds of its clock; None until it happens."""

    seconds: Optional[float]


class Later:
    """Values of an array that may not be computed yet: :func:`encode` leaves it among the buffers."""

    def read(self) -> np.ndarray:
        """Wait for the values. Raises the error of the operation that should compute them."""
        raise NotImplementedError


@dataclass(frozen=True)
class Encoded:
    """An earlier result of :func:`encode`: the value at that time. Or ``{"log": [...]}``."""

    data: Any


@dataclass(frozen=True)
class Opaque:
    """A value that cannot be passed; only the name of its type is."""

    type_name: str


def encode(value: Any, buffers: list[Any], from_engine: Optional[Callable[[Any], Any]] = None) -> Any:
    """Convert a value to JSON data and buffers. Runs no code of the value's class.

    An array may hold its values :class:`Later`: then :func:`settle` completes the buffers.

    Args:
        value: Plain values, arrays and devices, nested; anything else becomes `Opaque`.
        buffers: The arrays are added here, in npy format.
        from_engine: Maps an engine's own array to an :class:`EngineArray`, or to a :class:`Handle` if it is in another
            process, its own device to a :class:`Device`, and anything else to None, even an EngineArray that it has not
            made.  It may also return an :class:`Encoded` with the same buffers.  Without it, the plain forms in the
            value itself are used.

    Returns:
        The JSON data, in which an array is its place among the buffers.
    """
    return _encode(value, buffers, from_engine or (lambda spec: spec), 0, [MAX_ITEMS])


def _encode(value: Any, buffers: list[Any], from_engine: Any, depth: int, left: list[int]) -> Any:
    def inner(item: Any) -> Any:
        return _encode(item, buffers, from_engine, depth + 1, left)

    left[0] -= 1
    if depth > MAX_DEPTH or left[0] < 0:
        return {"opaque": "nested too deep" if depth > MAX_DEPTH else "too many items"}
    kind = type(value)
    if value is None or kind in (bool, str):
        return value
    if kind is _numpy_text:  # an element of an array of texts: a str with another class
        return _text(value)
    if kind is int:
        if abs(value) < 2**53:
            return value
        return {"integer": str(value)} if value.bit_length() <= MAX_BITS else {"opaque": "int"}
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if kind in _SCALARS and value.dtype.kind in "biuf":
        return {"scalar": _store(value, buffers)}
    if issubclass(kind, _ndarray):
        plain = _asarray(value)  # its numbers, whatever its class reports
        return {"numpy": _store(plain, buffers)} if plain.dtype.kind in "biuf" else {"opaque": _type_name(value)}
    of_engine = from_engine(value)
    if type(of_engine) is EngineArray:
        return _encode_array(of_engine, buffers)
    if type(of_engine) is Handle:
        return _encode_handle(of_engine)
    if type(of_engine) is Device:
        return {"device": of_engine.number}
    if type(of_engine) is Encoded:
        return of_engine.data
    # A defaultdict is a dict and a namedtuple a tuple; they are read without running their own code.
    if issubclass(kind, list):
        return [inner(item) for item in list.__iter__(value)]
    if issubclass(kind, tuple):
        return {"tuple": [inner(item) for item in tuple.__iter__(value)]}
    if issubclass(kind, dict) and dict.__len__(value) <= MAX_KEYS:
        return {"dict": [[inner(key), inner(item)] for key, item in dict.items(value)]}
    return {"opaque": _type_name(value)}


def _encode_array(array: EngineArray, buffers: list[Any]) -> dict[str, Any]:
    data: dict[str, Any] = {"array": _store(array.values, buffers), "device": array.device, "gated": array.gated}
    if array.gradient is not None:
        data["gradient"] = _store(array.gradient, buffers)
    return data


def _encode_handle(handle: Handle) -> dict[str, Any]:
    data: dict[str, Any] = {"handle": [handle.storage, handle.device, list(handle.layout)]}
    if handle.gradient is not None:
        data["gradient"] = _encode_handle(handle.gradient)
    return data


def settle(buffers: list[Any]) -> None:
    """Fill the buffers of later values; leave those that could not be computed empty."""
    for index, buffer in enumerate(buffers):
        if isinstance(buffer, Later):
            try:
                buffers[index] = _pack(buffer.read())
            except Exception:
                buffers[index] = b""


def decode(data: Any, buffers: list[Any], to_engine: Optional[Callable[[Any], Any]] = None) -> Any:
    """Convert the result of :func:`encode` back to values.

    ``to_engine`` maps an :class:`EngineArray`, a :class:`Handle` or a :class:`Device` to what the engine has for it.
    Without it, a handle has no value.

    Raises:
        ValueError: For anything that :func:`encode` would not have made.
    """
    try:
        return _decode(data, buffers, to_engine or _as_it_is, 0)
    except (TypeError, OverflowError, SyntaxError) as error:  # malformed, and Python noticed it first
        raise ValueError(f"not a value: {error}") from error


def _decode(data: Any, buffers: list[Any], to_engine: Any, depth: int) -> Any:
    def inner(item: Any) -> Any:
        return _decode(item, buffers, to_engine, depth + 1)

    if depth > 2 * MAX_DEPTH:
        raise ValueError("a value is nested too deep")
    if data is None or isinstance(data, (bool, str, int, float)):
        return data
    if isinstance(data, list):
        return [inner(item) for item in data]
    if not isinstance(data, dict):
        raise ValueError(f"not a value: {type(data).__name__}")
    if "array" in data:
        return to_engine(_decode_array(data, buffers))
    if "handle" in data:
        return to_engine(_decode_handle(data))
    if len(data) != 1:
        raise ValueError(f"not a value: {len(data)} keys")
    kind, body = next(iter(data.items()))
    if kind == "device":
        return to_engine(Device(_number(body)))
    if kind == "numpy":
        return _load(body, buffers)
    if kind == "scalar":
        return _load(body, buffers)[()]
    if kind == "integer":
        return int(str(body)[:400])
    if kind == "float":
        return float(str(body))
    if not isinstance(body, list) and kind in ("tuple", "dict"):
        raise ValueError(f"not a {kind}")
    if kind == "log" and isinstance(body, list):
        return body  # plain JSON: the caller checks each event of a log
    if kind == "tuple":
        return tuple(inner(item) for item in body)
    if kind == "dict" and len(body) > MAX_KEYS:
        raise ValueError("a dict has too many keys")
    if kind == "dict":
        return {inner(key): inner(item) for key, item in body}
    if kind == "opaque":
        return Opaque(str(body)[:200])
    raise ValueError(f"not a value: {str(kind)[:40]}")


def _decode_array(data: dict[str, Any], buffers: list[Any]) -> EngineArray:
    gradient = data.get("gradient")
    return EngineArray(
        _load(data["array"], buffers),
        _number(data.get("device", 0)),
        bool(data.get("gated", False)),
        None if gradient is None else _load(gradient, buffers),
    )


def _decode_handle(data: dict[str, Any]) -> Handle:
    storage, device, layout = data["handle"]
    if type(layout) is not list:
        raise ValueError("a layout is a list")
    gradient = data.get("gradient")
    nested = None if gradient is None else _decode_handle({"handle": gradient["handle"]})
    return Handle(_number(storage), tuple(layout), _number(device), nested)


def _as_it_is(value: Any) -> Any:
    if type(value) is Handle:
        raise ValueError("a handle, and no engine in another process")
    return value


def _number(device: Any) -> int:
    if type(device) is not int:
        raise ValueError("a device is a number")
    return device


def _store(values: Any, buffers: list[Any]) -> int:
    buffers.append(values if isinstance(values, Later) else _pack(values))
    return len(buffers) - 1


def _pack(values: np.ndarray) -> bytes:
    stream = io.BytesIO()
    _save(stream, _asarray(values), allow_pickle=False)
    return stream.getvalue()


def _load(index: Any, buffers: list[Any]) -> np.ndarray:
    if type(index) is not int or not 0 <= index < len(buffers):
        raise ValueError("an array is missing")
    stream = io.BytesIO(bytes(buffers[index]))
    if npy.read_magic(stream) != (1, 0):
        raise ValueError("an array is in another format")
    shape, by_columns, dtype = npy.read_array_header_1_0(stream)
    data = bytearray(stream.read())
    # The header may claim any type and size; the length of the data must confirm them.
    if dtype.kind not in "biuf" or math.prod(shape) * dtype.itemsize != len(data):
        raise ValueError("an array is not what its header says")
    return np.frombuffer(data, dtype).reshape(shape, order="F" if by_columns else "C")


def _type_name(value: Any) -> str:
    kind = type(value)
    try:
        return ("{}.{}".format(getattr(kind, "__module__", "?"), getattr(kind, "__qualname__", "?")))[:200]
    except BaseException:  # a student's class may have a metaclass, which runs student code
        return "?"
