"""Every private part of PyTorch that this package stands on. When one of these fails, that part has moved."""

import inspect
import pkgutil
import re
from pathlib import Path

import pytest
import torch
from device import judge
from torch.cuda import _sanitizer
from torch.utils import _mode_utils, backend_registration

import simgpu
from simgpu import versions


def test_an_old_pytorch_is_refused_and_a_newer_one_warns():
    versions.check()
    for oldest in ("2.10.0", "2.15.0+cpu", "2.13.0a0+git1"):
        versions.check(oldest)
    with pytest.raises(ImportError, match=r"needs PyTorch 2\.10 or newer, but this is 2\.9\.1: pip install"):
        versions.check("2.9.1")
    with pytest.warns(UserWarning, match=r"tested with PyTorch 2\.10 to 2\.15, and this is 2\.16\.0:"):
        versions.check("2.16.0")


PLACES = [
    "torch.utils.backend_registration._setup_privateuseone_for_python_backend",
    "torch._C._acc.DeviceGuard",
    "torch._C.Generator",
    "torch._dynamo.exc.Unsupported",
    "torch._C.StorageBase.__new__",
    "torch._C.StorageBase.data_ptr",
    "torch._C._VariableFunctions.empty",
    "torch._disable_dynamo",
    "torch._dynamo.disable",
    "torch.Tensor._make_subclass",
    "torch.Tensor._make_wrapper_subclass",
    "torch.nn.Module._apply",
    "torch.nn.parameter.UninitializedTensorMixin._allowed_methods",
    "torch.nn.parameter.UninitializedTensorMixin.materialize",
    "torch._C.TensorBase.untyped_storage",
    "torch._C._nn._parse_to",
    "torch._C._to_dlpack",
    "torch._tensor_str._add_suffixes",
    "torch._tensor_str._tensor_str",
    "torch._utils._rebuild_parameter",
    "torch._C._disabled_torch_function_impl",
    "torch._C._AutoDispatchBelowAutograd",
    "torch._C._current_autograd_node",
    "torch._C._current_graph_task_id",
    "torch._C._autograd._get_sequence_nr",
    "torch._C._dispatch_has_computed_kernel_for_dispatch_key",
    "torch._C._dispatch_has_kernel_for_dispatch_key",
    "torch._C._ExcludeDispatchKeyGuard",
    "torch._C._SetExcludeDispatchKeyGuard",
    "torch.set_autocast_enabled",
    "torch._C.DispatchKey.AutocastPrivateUse1",
    "torch._C.DispatchKey.CompositeImplicitAutograd",
    "torch._utils._rebuild_device_tensor_from_cpu_tensor",
    "torch._utils._rebuild_tensor",
    "torch._utils._get_restore_location",
    "torch._C._dynamo.eval_frame.set_code_exec_strategy",
    "torch._C._dynamo.eval_frame._FrameExecStrategy",
    "torch._C._dynamo.eval_frame._FrameAction.SKIP",
    "torch.serialization._serialization_tls.map_location.__class__",
    "torch.nn.parallel.comm.scatter",
    "torch.autograd.graph._engine_run_backward",
    "torch.autograd._engine_run_backward",
    "torch.autograd.Variable._execution_engine",
    "torch.autograd.set_multithreading_enabled",
    "torch.serialization.register_package",
    "torch.utils._device.DeviceContext.__torch_function__",
    "torch.utils._device._device_constructors",
    "torch.jit._builtins._register_builtin",
    "torch.__future__.get_swap_module_params_on_conversion",
    "torch.serialization._legacy_save",
    "torch._C.TensorBase.data.__get__",
    "torch._C.TensorBase.data.__set__",
    "torch._subclasses.fake_tensor.FakeTensor.device.fget",
    "torch.autograd.function.BackwardCFunction.apply",
    "torch.nn.parallel.comm.nccl",
    "torch.Tensor.new",
    "torch.Tensor.new_tensor",
    "torch._C.DispatchKeySet",
    "torch._C._autograd.DeviceType.PrivateUse1",
    "torch._C._distributed_c10d.ProcessGroup",
    "torch._C._distributed_c10d._set_thread_isolation_mode",
    "torch._C._distributed_c10d.AllgatherOptions.asyncOp",
    "torch._C._distributed_c10d.AllreduceOptions.asyncOp",
    "torch._meta_registrations.register_meta",
    "torch._ops.OpOverload",
    "torch._ops.OpOverloadPacket",
    "torch.autograd.Variable._execution_engine.queue_callback",
    "torch.cuda._sanitizer.StreamSynchronizations",
    "torch.distributed.distributed_c10d._check_p2p_op_list",
    "torch.distributed.distributed_c10d._coalescing_manager",
    "torch.testing._internal.common_methods_invocations.op_db",
    "torch.testing._internal.distributed",
    "torch.utils._device",
    "torch.utils._mode_utils",
    "torch.utils._python_dispatch.TorchDispatchMode",
    "torch.utils._pytree.tree_map",
]


def test_each_private_name_in_the_source_is_held():
    """Those that are written out, from `torch` on."""
    source = Path(simgpu.__file__).parent
    pattern = r"\btorch(?:\.\w+)*\._[A-Za-z]\w*(?:\.\w+)*|\btorch\.__future__\.\w+"
    found = {name for path in source.rglob("*.py") for name in re.findall(pattern, path.read_text())}
    assert len(found) > 15
    assert [name for name in sorted(found) if not any(f"{p}.".startswith(f"{name}.") for p in PLACES)] == []


def test_data_parallel_calls_the_functions_that_are_replaced():
    comm = Path(inspect.getfile(torch.nn.parallel.comm.gather)).read_text()
    assert all(f"torch._C._{name}(" in comm for name in ("scatter", "gather", "broadcast", "broadcast_coalesced"))
    assert "nccl.is_available(" in comm


def test_a_node_of_a_function_knows_what_it_returns_gradients_for():
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, apart, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return None, gradient * 2

    made = Twice.apply(torch.ones(3), torch.ones(3, requires_grad=True))
    node = made.grad_fn
    ((nothing, _), (following, number)) = node.next_functions
    assert (node.name(), node.needs_input_grad, nothing) == ("TwiceBackward", (False, True), None)
    assert following._input_metadata[number].device.type == "cpu"


@pytest.mark.parametrize("place", PLACES)
def test_is_there(place: str):
    found = pkgutil.resolve_name(place)
    assert found is not None


def test_the_backend_takes_a_module_and_a_guard():
    parameters = inspect.signature(backend_registration._setup_privateuseone_for_python_backend).parameters
    assert {"rename", "backend_module", "device_guard"} <= set(parameters)
    assert torch._C._get_privateuse1_backend_name() == "simgpu"


def test_a_wrapper_subclass_keeps_the_index_of_its_device():
    tensor = torch.ones(2, device="simgpu:2")
    assert tensor.device == torch.device("simgpu:2")
    assert torch._C.StorageBase.nbytes(tensor.untyped_storage()) == 1 << 40


def test_dispatch_can_be_left_out_for_a_change_of_layout():
    with _mode_utils.no_dispatch(), torch._C._AutoDispatchBelowAutograd():
        pass


def test_inference_mode_hands_composite_operations_over_undivided():
    aten, asked, composite = (
        torch.ops.aten,
        torch._C._dispatch_has_kernel_for_dispatch_key,
        torch._C.DispatchKey.CompositeImplicitAutograd,
    )
    for op in (aten.matmul.default, aten.item.default, aten.reshape.default, aten.einsum.default):
        assert asked(op.name(), composite)
    for op in (aten.mm.default, aten.view.default, aten._local_scalar_dense.default, aten.detach.default):
        assert not asked(op.name(), composite)
    assert aten.matmul.default._op_dk(composite, torch.ones(2, 2), torch.ones(2, 2)).tolist() == [[2, 2], [2, 2]]


def test_the_tags_that_decide_over_waits_and_random_numbers():
    aten, tag = torch.ops.aten, torch.Tag
    assert tag.dynamic_output_shape in aten.nonzero.default.tags
    assert tag.dynamic_output_shape in aten.masked_select.default.tags
    assert tag.data_dependent_output in aten.equal.default.tags
    assert tag.inplace_view in aten.t_.default.tags
    for op in (
        aten.normal_.default,
        aten.native_dropout.default,
        aten.randn_like.default,
        aten.multinomial.default,
        aten.randperm.default,
    ):
        assert tag.nondeterministic_seeded in op.tags


def test_schemas_tell_what_is_written():
    arguments = torch.ops.aten.add_.Tensor._schema.arguments
    assert arguments[0].alias_info.is_write
    assert arguments[1].alias_info is None
    out = torch.ops.aten.add.out._schema.arguments[-1]
    assert out.kwarg_only
    assert out.alias_info.is_write


def test_the_sanitizer_runs_without_cuda_and_reports_a_race():
    handler = _sanitizer.EventHandler()
    handler.syncs.create_stream(1)
    assert handler._handle_kernel_launch(0, set(), {7}, set(), "write", {7: []}) == []
    (error,) = handler._handle_kernel_launch(1, {7}, set(), set(), "read", {7: []})
    assert (error.data_ptr, error.previous_access.stream, error.previous_access.seq_num) == (7, 0, 1)
    handler._handle_event_creation(5)
    handler._handle_event_record(5, 0)
    handler._handle_event_wait(5, 1)
    assert handler._handle_kernel_launch(1, {7}, set(), set(), "read", {7: []}) == []
    assert handler.syncs.is_ordered_after(1, 1, 0)
    handler._handle_event_synchronization(5)
    handler._handle_stream_synchronization(1)


def test_threads_may_have_a_world_of_their_own():
    from torch.testing._internal.distributed import multi_threaded_pg

    assert callable(multi_threaded_pg._install_threaded_pg)
    assert callable(torch._C._distributed_c10d._set_thread_isolation_mode)


def test_the_network_whose_forward_pass_runs_is_a_variable_of_the_process():
    from torch.nn.parallel import DistributedDataParallel

    assert DistributedDataParallel._active_ddp_module is None
    assert DistributedDataParallel._get_active_ddp_module() is None


def test_the_autograd_engine_asks_for_a_future_of_a_work_written_in_python():
    assert hasattr(torch.distributed.Work, "get_future")
    assert issubclass(torch.futures.Future, torch._C.Future)


def test_torch_stream_is_still_a_silent_no_op_for_a_backend_in_python():
    original = torch._C.Stream
    judge.hold()
    held = torch.ones(4, device="simgpu") + 1
    one, other = original(device="simgpu"), original(device="simgpu")
    assert one.stream_id == other.stream_id == 0
    assert one.query()
    assert not simgpu.install().current_stream().query()
    judge.release()
    assert held.tolist() == [2] * 4
    assert isinstance(torch.Stream(device="simgpu"), simgpu.install().Stream)
