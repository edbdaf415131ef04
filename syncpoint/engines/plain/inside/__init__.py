"""NumPy as the probe sees it: every array is already computed."""

from typing import Any, Optional

import numpy as np
from probe.inside_engine import Guarded, InsideEngine
from probe.serialization import Device, EngineArray

_ndarray, _array = np.ndarray, np.array


class Engine(InsideEngine):
    """Arguments are NumPy arrays; returned values are sent as they are at the return."""

    def array(self, array: EngineArray, interface: str = "") -> Any:
        """Return a copy of the values.

        Raises:
            KeyError: For an interface: there is only one kind of array.
            ValueError: For what NumPy does not have: devices other than the host, gates, gradients.
        """
        if interface:
            raise KeyError(interface)
        if array.device or array.gradient is not None:
            raise ValueError("arrays of the engine `plain` have no device but the host, and no gradient")
        return _array(array.values)

    def device(self, device: Device) -> Any:
        """Refuse: code for the host names no device."""
        raise ValueError("the engine `plain` has no devices")

    def is_array(self, value: Any) -> bool:
        """Whether ``value`` is exactly a NumPy array, and no instance of a student's class."""
        return type(value) is _ndarray

    def describe(self, value: Any, with_gradient: bool = True) -> Optional[Any]:
        """Return nothing: NumPy arrays are sent as they are when `serialization` reads them."""
        return None

    def wait_all(self) -> None:
        """Everything is computed."""

    def guarded(self) -> Guarded:
        """Return NumPy's names for the integrity monitor."""
        return Guarded(modules=("numpy.linalg", "numpy.random", "numpy.fft"), variables=("OMP_", "OPENBLAS_"))
