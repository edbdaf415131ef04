"""Operators written in Python: reports when one is enqueued, and when it is about to run.

The library knows an operator as a list of functions.  Ours take the place of some, whose addresses they get in turn.
"""

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_int, c_void_p
from typing import Any, Callable

from mxnet.base import _LIB, MXCallbackList

# As in mxnet/include/mxnet/c_api.h.  The last argument of each function except the first is its own address.
_CREATOR = CFUNCTYPE(c_int, c_void_p, c_int, c_void_p, c_void_p, POINTER(MXCallbackList))
_CREATE_OPERATOR = CFUNCTYPE(
    c_int, c_void_p, c_int, c_void_p, c_void_p, c_void_p, POINTER(MXCallbackList), c_void_p
)  # fmt: skip
_RUN = CFUNCTYPE(c_int, c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_RUN_FUNCTION = CFUNCTYPE(c_int, c_int, c_int, c_void_p, c_void_p, c_int, c_void_p)
CREATE_OPERATOR, FORWARD_AND_BACKWARD, BACKWARD_OF_FUNCTION = 6, (1, 2), 0  # places in the lists


def follow_operators(made: Callable[[], None], about_to_run: Callable[[], None]) -> None:
    """Follow the operators and functions that are registered from now on.

    ``made`` is called when an operator is made, by a call that enqueues it, or a function is recorded;
    ``about_to_run``, in a thread of the engine, before the Python code of either.
    """

    def running(function_type: Any) -> Any:
        def run(*arguments: Any) -> Any:
            about_to_run()
            return function_type(arguments[-1])(*arguments[:-1], None)

        return function_type(run)

    run, run_function = running(_RUN), running(_RUN_FUNCTION)

    @_CREATE_OPERATOR  # type: ignore[untyped-decorator]
    def create_operator(*arguments: Any) -> Any:
        made()
        done = _CREATE_OPERATOR(arguments[-1])(*arguments[:-1], None)
        for place in FORWARD_AND_BACKWARD if done else ():
            _replace(arguments[-2].contents, place, run)
        return done

    creators = []  # kept as long as the engine
    register, record = _LIB.MXCustomOpRegister, _LIB.MXCustomFunctionRecord

    def registered(name: Any, creator: Any) -> Any:
        original = ctypes.cast(creator, _CREATOR)

        @_CREATOR  # type: ignore[untyped-decorator]
        def create(*arguments: Any) -> Any:
            done = original(*arguments)
            if done:
                _replace(arguments[-1].contents, CREATE_OPERATOR, create_operator)
            return done

        creators.append(create)
        return register(name, create)

    def recorded(*arguments: Any) -> Any:
        made()
        _replace(arguments[-1]._obj, BACKWARD_OF_FUNCTION, run_function)
        return record(*arguments)

    _LIB.MXCustomOpRegister, _LIB.MXCustomFunctionRecord = registered, recorded


def _replace(functions: Any, place: int, function: Any) -> None:
    functions.contexts[place] = ctypes.cast(functions.callbacks[place], c_void_p)
    functions.callbacks[place] = ctypes.cast(function, CFUNCTYPE(c_int))
