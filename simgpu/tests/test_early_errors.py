"""Arguments that CUDA refuses at once are refused at once, in the words of PyTorch's kernels."""

import itertools
import re

import pytest
import torch
import torch.nn.functional as F
from device import DEVICE, gpu, judge
from simgpu.front import early_errors
from simgpu.front.errors import LateError
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves, tree_map


def r(*size: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.ones(*size, dtype=dtype, device=DEVICE)


def i(*size: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    return torch.zeros(*size, dtype=dtype, device=DEVICE)


WRONG = {
    "channels": (
        lambda: F.conv2d(r(64, 1, 28, 28), r(16, 3, 3, 3)),
        r"expected input\[64, 1, 28, 28\] to have 3 channels, but got 1 channels instead",
    ),
    "transposed channels": (
        lambda: F.conv_transpose2d(r(4, 3, 8, 8), r(16, 8, 3, 3)),
        r"transposed=1, .* expected input\[4, 3, 8, 8\] to have 16 channels, but got 3",
    ),
    "transposed channels of a large batch": (
        lambda: F.conv_transpose2d(r(64, 3, 32, 32), r(16, 8, 3, 3)),
        r"transposed=1, .* expected input\[64, 3, 32, 32\] to have 16 channels, but got 3",
    ),
    "bias of a convolution": (
        lambda: F.conv2d(r(64, 3, 32, 32), r(9, 3, 3, 3), r(4)),
        "bias to be 1-dimensional with 9",
    ),
    "dilation": (lambda: F.conv2d(r(1, 3, 8, 8), r(9, 3, 3, 3), dilation=0), "dilation should be greater than zero"),
    "types of a convolution": (
        lambda: F.conv2d(r(64, 3, 99, 99), r(9, 3, 3, 3).double()),
        r"Input type \(.*FloatTensor\) and weight type \(.*DoubleTensor\) should be the same",
    ),
    "labels of int32": (lambda: F.cross_entropy(r(4, 3), i(4, dtype=torch.int32)), "Long or Byte, but got Int"),
    "many labels of int32": (lambda: F.cross_entropy(r(2048, 99), i(2048, dtype=torch.int32)), "but got Int"),
    "labels of float": (lambda: F.nll_loss(r(4, 3), r(4)), "expected target dtype to be Long or Byte, but got Float"),
    "shape of labels": (lambda: F.cross_entropy(r(4, 3), i(4, 1)), "0D or 1D target tensor expected, multi-target not"),
    "labels of pictures": (lambda: F.nll_loss(r(4, 3, 5, 5), i(4, 5, 6)), r"size mismatch \(got input: \[4, 3, 5, 5\]"),
    "weights of classes": (lambda: F.nll_loss(r(4, 3), i(4), r(4)), "either for all 3 classes or no classes but got"),
    "sort": (lambda: r(3).sort(dim=2), r"Dimension out of range \(expected to be in range of \[-1, 0\], but got 2\)"),
    "sort of many": (lambda: r(2048, 99).sort(dim=2), r"expected to be in range of \[-2, 1\], but got 2"),
    "rows of many": (lambda: r(2048, 99).index_select(0, i(2, 2)), "Index is supposed to be a vector"),
    "values for rows of many": (
        lambda: r(2048, 99).index_put_((i(5),), r(6, 99)),
        r"value tensor of shape \[6, 99\] cannot be broadcast to indexing result of shape \[5, 99\]",
    ),
    "topk": (lambda: r(3).topk(1, dim=2), "Dimension out of range"),
    "too many for topk": (lambda: r(3).topk(5), "selected index k out of range"),
    "softmax": (lambda: r(3).softmax(5), "Dimension out of range"),
    "maximum of nothing": (lambda: r(0).max(), r"max\(\): Expected reduction dim to be specified"),
    "no samples": (lambda: r(3).multinomial(0), "cannot sample n_sample <= 0 samples"),
    "too many samples": (lambda: r(3).multinomial(5), "without replacement"),
    "samples of integers": (lambda: i(3).multinomial(1), "multinomial only supports floating-point dtypes"),
    "samples of a cube": (lambda: r(3, 3, 3).multinomial(1), "prob_dist must be 1 or 2 dim"),
    "randint": (
        lambda: torch.randint(5, 5, (3,), device=DEVICE),
        "'from' to be less than 'to', but got from=5 >= to=5",
    ),
    "randint_like": (lambda: torch.randint_like(r(3), 5, 2), "'from' to be less than 'to'"),
    "uniform_": (lambda: r(3).uniform_(3, 1), r"uniform_ expects to return a \[from, to\) range"),
    "bernoulli_": (lambda: r(3).bernoulli_(2.0), "bernoulli_ expects p to be in"),
    "product": (lambda: r(3, 4) @ r(5, 6), r"mat1 and mat2 shapes cannot be multiplied \(3x4 and 5x6\)"),
    "layer": (lambda: F.linear(r(512, 784), r(99, 512), r(99)), r"cannot be multiplied \(512x784 and 512x99\)"),
    "sum": (lambda: r(3) + r(4), r"The size of tensor a \(3\) must match the size of tensor b \(4\)"),
    "mask of attention": (
        lambda: F.scaled_dot_product_attention(*[r(1, 2, 3, 4)] * 3, attn_mask=r(7, 7)),
        "must match the size of tensor b",
    ),
    "mask of integers": (lambda: r(3).masked_fill(i(3), 1.0), "masked_fill_ only supports boolean masks"),
    "index of floats": (lambda: r(3).index_select(0, r(2)), "Expected dtype int32 or int64 for index"),
    "bits of floats": (lambda: r(3) & r(3), "\"bitwise_and_cuda\" not implemented for 'Float'"),
    "many bits of floats": (lambda: r(300, 300).bitwise_not(), "\"bitwise_not_cuda\" not implemented for 'Float'"),
    "out= over an input": (lambda: torch.cat([x := r(3), x], out=x), "refer to a single memory location"),
    "deviation of integers": (lambda: i(3).std(), "std and var only support floating point"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments_are_refused_at_once(name: str):
    work, words = WRONG[name]
    for _ in range(2):  # no plan remains
        with pytest.raises((RuntimeError, IndexError), match=words) as caught:
            work()
        assert not isinstance(caught.value, torch.OutOfMemoryError) and "launched earlier" not in str(caught.value)
    gpu.synchronize()


LATE = {"uniform", "multinomial", "masked_select", "linalg.lstsq"}
"""Their errors come late: for an empty tensor, a large one, and operations that wait anyway."""
COMPUTED = {"clamp_max", "clamp_min", "__rmod__", "__rpow__", "__rsub__", "index_select", "cat"}
"""Python refuses the operands before PyTorch, or PyTorch's CPU kernel does not see that memory overlaps."""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_errors_of_pytorchs_operator_database_come_at_once():
    late, computed, at_once = set(), set(), 0
    for entry in op_db:
        if entry.error_inputs_func is None or entry.name in ("aminmax", "amax", "amin"):  # they need 65 dimensions
            continue
        for wrong in entry.error_inputs(DEVICE):
            given = wrong.sample_input
            try:
                entry(given.input, *given.args, **given.kwargs)
                gpu.synchronize()
                computed.add(entry.name)
            except LateError:
                late.add(entry.name)
            except Exception:
                at_once += 1
    assert (late - LATE, computed - COMPUTED) == (set(), set()) and at_once > 640


ON_CUDA = {
    "mm": (lambda x: x @ x, "addmm_cuda"),
    "addmm": (lambda x: torch.addmm(x, x, x), "addmm_cuda"),
    "linear": (lambda x: F.linear(x, x), "addmm_cuda"),
    "mv": (lambda x: x @ x[0], "addmv_impl_cuda"),
    "addbmm": (lambda x: torch.addbmm(x, x.view(1, 2, 2), x.view(1, 2, 2)), "addmm_cuda"),
    "bmm": (lambda x: x.view(1, 2, 2) @ x.view(1, 2, 2), "baddbmm_cuda"),
    "einsum": (lambda x: torch.einsum("bij,bjk->bik", x.view(1, 2, 2), x.view(1, 2, 2)), "baddbmm_cuda"),
    "dot": (lambda x: x[0].dot(x[0]), "dot"),
    "conv2d": (lambda x: F.conv2d(x.view(1, 1, 2, 2), x.view(1, 1, 2, 2)), "slow_conv2d_cuda"),
    "avg_pool2d": (lambda x: F.avg_pool2d(x.view(1, 1, 2, 2), 2), "avg_pool2d_out_cuda_frame"),
    "max_pool2d": (lambda x: F.max_pool2d(x.view(1, 1, 2, 2), 2), "max_pool2d_with_indices_out_cuda_frame"),
}


@pytest.mark.cuda(
    "products, convolutions and poolings of integers are refused",
    "docs.pytorch.org/docs/stable/notes/cuda.html",
    "the same, although the CPU computes most of them",
)
@pytest.mark.parametrize("name", ON_CUDA)
def test_integers_that_cuda_does_not_multiply_are_refused(name: str):
    work, kernel = ON_CUDA[name]
    host = torch.ones(2, 2, dtype=torch.int64)
    with pytest.raises(NotImplementedError, match=f"\"{kernel}\" not implemented for 'Long'"):
        work(host.to(DEVICE))
    assert work(host.to(DEVICE).double()).tolist() == work(host.double()).tolist()
    work(host)


def said(entry, dtype: torch.dtype) -> str:
    """What an entry of the database says to a type: what it raises at once, "late", "computed", or "" without samples."""
    words = ""
    for sample in itertools.islice(entry.sample_inputs("cpu", dtype), 6):
        given = sample.input, sample.args, sample.kwargs
        if any(isinstance(leaf, torch.Tensor) and not leaf.numel() for leaf in tree_leaves(given)):
            continue
        value, args, kwargs = tree_map(lambda v: v.to(DEVICE) if isinstance(v, torch.Tensor) else v, given)
        try:
            entry(value, *args, **kwargs)
            gpu.synchronize()
            words = words or "computed"
        except LateError:
            return "late"
        except Exception as error:
            return str(error)
    return words


def sure(entry) -> bool:
    """Whether PyTorch's own tests check the types of an entry on CUDA."""
    skips = (d for d in entry.decorators if getattr(d, "test_name", "") == "test_dtypes")
    return not any(skip.device_type in (None, "cuda") for skip in skips)


ONLY_HERE = {"scatter_reduce"}
"""The CPU and simgpu compute some of its reductions of truth values, and CUDA does not."""
ONLY_ON_CUDA = {"abs", "trace", "nn.functional.softsign", "nanmean", "nansum"}
"""Of truth values, and the last two of complex numbers."""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_types_that_only_the_cpu_or_only_cuda_computes_are_those_of_pytorchs_operator_database():
    computed, refused, number = set(), set(), 0
    for entry in filter(sure, op_db):
        for dtype in {*entry.dtypes} - {*entry.dtypesIfCUDA, torch.complex32}:
            words = said(entry, dtype)
            number += 1
            if "not implemented for" not in words and "not supported on" not in words:
                computed.add((entry.name, dtype, words))
        for dtype in {*entry.dtypesIfCUDA} - {*entry.dtypes, torch.complex32}:
            words = said(entry, dtype)
            number += 1
            if words != "computed" and not re.search("Half|simgpu: the operation", words):
                refused.add((entry.name, dtype, words))
    print(computed, refused)
    assert {name for name, *_ in computed} == ONLY_HERE and {name for name, *_ in refused} == ONLY_ON_CUDA
    assert number > 130


def _host(at):
    return tuple(map(_host, at)) if isinstance(at, tuple) else at.cpu() if isinstance(at, torch.Tensor) else at


def test_values_that_are_invented_refuse_nothing():
    x = r(4, 3)
    assert (i(3) + 6).floor_divide(i(3) + 2).tolist() == [3, 3, 3]
    assert i(0).sum().item() == 0 and x.gather(1, i(0, 3)).shape == (0, 3)
    many = r(2048, 99)
    many[i(5)] = r(99) * 2
    assert many.sum().item() == 2049 * 99
    for at in (i(5), i(5).cpu(), [0, 3], (slice(None), i(5)), (i(5), i(5)), (i(5), None)):
        assert torch.equal(many[at].cpu(), many.cpu()[at if isinstance(at, list) else _host(at)])
    assert x.index_select(0, i(0)).shape == (0, 3) and F.embedding(i(0), x).shape == (0, 3)
    assert F.binary_cross_entropy(x, x).item() == 0 and torch.bernoulli(x).sum().item() == 12
    assert torch.linalg.inv(torch.eye(3, device=DEVICE)).trace().item() == 3
    assert x.masked_scatter(x > 0, r(12)).sum().item() == 12 and torch.poisson(x * 0).sum().item() == 0
    assert torch.segment_reduce(r(3), "sum", lengths=torch.tensor([1, 2], device=DEVICE)).tolist() == [1, 2]


def test_a_trial_draws_no_numbers_and_stays_out_of_the_log():
    torch.manual_seed(4)
    want = torch.rand(3)
    torch.manual_seed(4)
    start = judge.state().log
    drawn = torch.bernoulli(r(5, 7) / 2)
    assert torch.equal(torch.rand(3), want) and drawn.shape == (5, 7)
    names = [entry.name for entry in judge.log(start) if entry.kind == "launch"]
    assert names.count("aten.bernoulli.default") == 1


def test_an_operation_is_tried_once_for_a_plan(monkeypatch: pytest.MonkeyPatch):
    tried = []
    check = early_errors.check
    monkeypatch.setattr(early_errors, "check", lambda func, *rest: tried.append(str(func)) or check(func, *rest))
    x = torch.full((3, 11), 2.0, device=DEVICE)
    for _ in range(3):
        x = x * 1.5 + x
    assert tried.count("aten.mul.Tensor") <= 1 and tried.count("aten.add.Tensor") <= 1
    assert x.shape == (3, 11)
