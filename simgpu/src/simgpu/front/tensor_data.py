"""``tensor.data = other`` between the host and devices, and between types.

PyTorch changes the tensor's C++ object, which a simulated tensor lacks. So the tensor is swapped with another one,
which keeps its identity in Python.
"""

from typing import Any

import torch

from simgpu.front.tensor import SimTensor

CANNOT = "assigning .data cannot change the device or type of a tensor"


def apply() -> None:
    """Change PyTorch, once."""
    data: Any = torch.Tensor.data
    everybodys: Any = torch.Tensor

    def get(tensor: torch.Tensor) -> torch.Tensor:
        return data.__get__(tensor)  # type: ignore[no-any-return]

    def change(tensor: torch.Tensor, value: Any) -> None:
        if isinstance(value, SimTensor):
            assign(tensor, value)
        else:
            data.__set__(tensor, value)

    everybodys.data = property(get, change, doc=data.__doc__)
    SimTensor.assign = staticmethod(assign)


def assign(tensor: torch.Tensor, value: torch.Tensor) -> None:
    """Give a tensor the values, type and device of another one; one of them is on a device.

    Raises:
        RuntimeError: the tensor needs a gradient, which numbers of this type cannot have.
        NotImplementedError: the tensor cannot be replaced by another one.
    """
    kept: Any = tensor
    made: Any = value
    ours = isinstance(tensor, SimTensor) and isinstance(value, SimTensor)
    if ours and (value.dtype, value.device) == (tensor.dtype, tensor.device):
        kept.lie(made._storage, made._spec)
        return
    if tensor.requires_grad and not (value.is_floating_point() or value.is_complex()):
        raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
    if not tensor.is_leaf or kept._backward_hooks or kept._post_accumulate_grad_hooks:
        raise NotImplementedError(f"simgpu: {CANNOT} with {'hooks' if tensor.is_leaf else 'a graph'}")
    gradient, attributes = tensor.grad, vars(tensor).copy()
    made = made.detach()
    if isinstance(tensor, torch.nn.Parameter):
        made = torch.nn.Parameter(made, tensor.requires_grad)
    else:
        made.requires_grad_(tensor.requires_grad)
    own = set(vars(made)) | {"_storage", "_spec", "_key", "_is_param"}
    try:
        torch.utils.swap_tensors(tensor, made)
    except RuntimeError as error:
        raise NotImplementedError(
            f"simgpu: {CANNOT} while a graph, a view or a weak reference of it is alive"
        ) from error
    vars(tensor).update({name: said for name, said in attributes.items() if name not in own})
    if gradient is not None:
        tensor.grad = gradient.detach().to(value.device, value.dtype)
