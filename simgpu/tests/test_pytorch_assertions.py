"""What PyTorch's own tests assert of streams, events, devices and memory, said again for this device.

`make simgpu-docs` writes docs/assertions.md from the marks and the two tables.
"""

import gc
import operator
from collections.abc import Iterator

import pytest
import torch
from device import gpu, judge, wait_everywhere

ACCELERATOR, STREAMS, EVENTS, CUDA = "test_accelerator", "openreg test_streams", "openreg test_event", "test_cuda"
LIMITS = {
    f"{ACCELERATOR} test_device_index_fullgraph": "refused: computations on the device are not part of a graph",
    f"{ACCELERATOR} test_memory_stats": "`torch._C._accelerator_isAllocatorInitialized()` exists only in C++; everything else holds",
    f"{CUDA} test_events_multi_gpu_query": "there is no `torch.cuda._sleep`; the test holds the device with a gate instead",
    f"{CUDA} test_cuda_memory_leak_detection": "`memory_snapshot` is refused",
    f"{CUDA} test_external_streams": "refused: there is no driver that could have made a stream",
}
NOT_APPLICABLE = {
    f"{CUDA} test_cublas_*, test_cudart_*, test_hip_*": "CUDA's libraries and drivers",
    f"{CUDA} test_graph_*": "CUDA graphs are refused by name",
    f"{CUDA} TestMemPool, TestBlockStateAbsorption, TestCudaAllocator": "tests internals of CUDA's allocator",
    f"{CUDA} test_gds_*, test_nvtx, test_temperature, test_power_draw, test_utilization": "needs hardware",
    f"{ACCELERATOR} test_custom_pin_memory_*": "tests only the DataLoader",
}


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    yield
    for device in reversed(range(gpu.device_count())):
        gpu.set_stream(gpu.default_stream(device))


@pytest.mark.pytorch(f"{ACCELERATOR} test_current_accelerator")
def test_the_current_accelerator_has_no_index_and_refuses_other_devices():
    assert torch.accelerator.current_accelerator() == torch.device("simgpu")
    assert torch.accelerator.current_accelerator().index is None
    for call in (torch.accelerator.set_device_index, torch.accelerator.current_stream, torch.accelerator.synchronize):
        with pytest.raises(ValueError, match="cpu doesn't match the current accelerator"):
            call("cpu")


@pytest.mark.pytorch(f"{ACCELERATOR} test_generic_multi_device_behavior")
def test_a_stream_that_becomes_current_brings_its_device():
    torch.accelerator.set_device_index(1)
    assert torch.accelerator.current_device_index() == 1
    torch.accelerator.set_device_index(0)
    torch.accelerator.set_stream(torch.Stream(1))
    torch.accelerator.synchronize(0)
    assert torch.accelerator.current_device_index() == 1


@pytest.mark.pytorch(f"{ACCELERATOR} set_device_index; {CUDA} test_set_device, test_device_context")
def test_a_negative_device_changes_nothing():
    torch.accelerator.set_device_index(2)
    torch.accelerator.set_device_index(-1)
    gpu.set_device(-1)
    with gpu.device(-1), torch.accelerator.device_index(None):
        assert gpu.current_device() == 2
    with torch.accelerator.device_index(0):
        assert gpu.current_device() == 0
    assert gpu.current_device() == 2


@pytest.mark.pytorch(f"{ACCELERATOR} test_generic_stream_behavior")
def test_work_of_two_streams_joins_behind_an_event():
    s1, s2, event = torch.Stream(), torch.Stream(), torch.Event()
    a, b = torch.randn(1000), torch.randn(1000)
    torch.accelerator.set_stream(s2)
    there = [t.to("simgpu", non_blocking=True) for t in (a, b)]
    torch.accelerator.set_stream(s1)
    assert torch.accelerator.current_stream() == s1
    event.record(s2)
    event.synchronize()
    c = there[0] + there[1]
    event.record(s2)
    torch.accelerator.synchronize()
    assert event.query()
    assert torch.equal(c.cpu(), a + b)


@pytest.mark.pytorch(f"{ACCELERATOR} test_current_stream_query")
@pytest.mark.parametrize("name", [lambda s: s.device, lambda s: s.device.index, lambda s: str(s.device)])
def test_the_current_stream_is_found_by_every_name_of_its_device(name):
    stream = torch.Stream(1)
    torch.accelerator.set_stream(stream)
    torch.accelerator.set_device_index(0)
    assert torch.accelerator.current_stream(name(stream)) == stream


@pytest.mark.pytorch(f"{ACCELERATOR} test_stream_compare_with_non_stream; {CUDA} test_stream_compare")
def test_a_stream_equals_itself_and_has_no_order():
    s1, s2 = torch.Stream(), torch.Stream()
    assert all(s1 != other for other in (42, "hello", 3.14, None, object(), s2, torch.Stream(1)))
    for op in (operator.lt, operator.le, operator.gt, operator.ge):
        with pytest.raises(TypeError):
            op(s1, s2)
    again = torch.Stream(stream_id=s1.stream_id, device_index=s1.device_index, device_type=s1.device_type)
    assert again == s1
    assert hash(again) == hash(s1)


@pytest.mark.pytorch(f"{ACCELERATOR} test_stream_context_manager_reentrance")
def test_a_stream_that_is_entered_again_is_left_in_order():
    before, s0, s1 = torch.accelerator.current_stream(), torch.Stream(), torch.Stream()
    with s0, s0:
        assert torch.accelerator.current_stream() == s0
    assert torch.accelerator.current_stream() == before
    with s0:
        with s1:
            with s0:
                assert torch.accelerator.current_stream() == s0
            assert torch.accelerator.current_stream() == s1
        assert torch.accelerator.current_stream() == s0
    assert torch.accelerator.current_stream() == before


@pytest.mark.pytorch(f"{ACCELERATOR} test_multi_device_stream_context_manager; {CUDA} test_stream_context")
def test_a_stream_of_another_device_is_entered_with_its_device():
    before = [torch.accelerator.current_stream(d) for d in (0, 1)]
    with torch.Stream(1) as stream:
        assert torch.accelerator.current_device_index() == 1
        assert torch.accelerator.current_stream() == stream
        assert torch.accelerator.current_stream(0) == before[0]
    assert torch.accelerator.current_device_index() == 0
    assert [torch.accelerator.current_stream(d) for d in (0, 1)] == before


@pytest.mark.pytorch(f"{ACCELERATOR} test_pin_memory_on_non_blocking_copy")
def test_a_copy_to_the_host_that_does_not_wait_is_pinned():
    there = torch.randn(100, device="simgpu")
    host = there.to("cpu", non_blocking=True)
    torch.accelerator.synchronize()
    assert host.is_pinned()
    assert torch.equal(there.cpu(), host)


@pytest.mark.pytorch(f"{ACCELERATOR} test_generic_event_behavior; {EVENTS} test_event_timing_disabled; "
                     f"{CUDA} test_events_elapsedtime")  # fmt: skip
def test_times_of_events_without_timing_or_record_are_value_errors():
    for made in ({}, {"enable_timing": False}):
        with pytest.raises(ValueError, match="Both events must be created with argument 'enable_timing=True'"):
            torch.Event(**made).elapsed_time(torch.Event(enable_timing=True))
    timed = torch.Event(enable_timing=True), torch.Event(enable_timing=True)
    with pytest.raises(ValueError, match="Both events must be recorded before calculating elapsed time"):
        timed[0].elapsed_time(timed[1])


KINDS, POOLS = (
    ("allocated_bytes", "reserved_bytes", "active_bytes", "requested_bytes"),
    ("all", "small_pool", "large_pool"),
)


@pytest.mark.pytorch(f"{ACCELERATOR} test_memory_stats; {CUDA} test_memory_stats, test_memory_allocation")
def test_statistics_of_memory_have_all_keys_and_count():
    stats = torch.accelerator.memory_stats()
    wanted = [f"{k}.{p}.{m}" for k in KINDS for p in POOLS for m in ("peak", "current", "allocated", "freed")]
    assert [key for key in wanted if key not in stats] == []
    torch.accelerator.empty_cache()
    torch.accelerator.reset_peak_memory_stats()
    torch.accelerator.reset_accumulated_memory_stats()
    before = torch.accelerator.memory_stats()
    assert before["active_bytes.all.allocated"] == before["active_bytes.all.freed"] == 0
    small, large = torch.empty(250, device="simgpu"), torch.empty(1 << 20, device="simgpu")
    now = torch.accelerator.memory_stats()
    gain = {key: now[key] - before[key] for key in now}
    assert gain["active_bytes.small_pool.current"] == gain["allocated_bytes.small_pool.peak"] == 1024
    assert gain["requested_bytes.small_pool.current"] == 1000
    assert gain["allocated_bytes.large_pool.current"] == gain["requested_bytes.large_pool.allocated"] == 4 << 20
    assert gain["allocated_bytes.all.peak"] == (4 << 20) + 1024
    assert gain["allocation.all.current"] == 2
    assert now["reserved_bytes.all.current"] == gpu.memory_reserved()
    del small, large
    gc.collect()
    torch.accelerator.empty_cache()
    after = torch.accelerator.memory_stats()
    assert after["active_bytes.all.freed"] == (4 << 20) + 1024
    assert after["segment.all.freed"] >= 1
    assert after["active_bytes.all.current"] == before["active_bytes.all.current"]
    nested = gpu.memory_stats_as_nested_dict()
    assert nested["allocated_bytes"]["all"]["current"] == after["allocated_bytes.all.current"]


@pytest.mark.pytorch(f"{ACCELERATOR} test_get_memory_info; {CUDA} test_device_memory_used")
def test_free_and_used_memory_are_all_there_is():
    free, total = torch.accelerator.get_memory_info()
    assert 0 <= free <= total
    assert gpu.device_memory_used() == total - free


@pytest.mark.pytorch(f"{ACCELERATOR} test_device_capability_supported_dtypes")
def test_each_supported_dtype_is_made_and_converted():
    supported = torch.accelerator.get_device_capability()["supported_dtypes"]
    assert {torch.float32, torch.bfloat16, torch.int64, torch.bool} <= supported
    assert torch.qint8 not in supported
    for dtype in supported:
        torch.empty(16, dtype=dtype, device="simgpu").to(torch.float32).to(dtype)
    wait_everywhere()


@pytest.mark.pytorch(f"{STREAMS} test_stream_create, test_stream_context, test_stream_switch")
def test_a_stream_knows_its_device():
    assert torch.Stream("simgpu").device_index == torch.accelerator.current_device_index()
    for made in (torch.Stream("simgpu:1"), torch.Stream(1), torch.Stream(device=torch.device("simgpu", 1))):
        assert (made.device.type, made.device_index, made.device_type) == ("simgpu", 1, 20)


@pytest.mark.pytorch(f"{STREAMS} test_stream_repr; {CUDA} test_stream_event_repr")
def test_streams_and_events_show_what_they_are():
    stream = torch.Stream("simgpu:1")
    assert f"torch.Stream device_type=simgpu, device_index=1, stream_id={stream.stream_id}" in repr(stream)
    assert "torch.Event device_type=simgpu, device_index=-1, event_id=0" in repr(torch.Event())
    assert "device_index=1" in repr(stream.record_event())


@pytest.mark.pytorch(f"{STREAMS} test_stream_wait_stream, test_stream_wait_event; {EVENTS} test_event_wait_event")
def test_a_stream_waits_for_a_stream_of_another_device():
    there = torch.zeros(4, device="simgpu:0")
    first, second = torch.Stream("simgpu:0"), torch.Stream("simgpu:1")
    first.wait_stream(gpu.default_stream(0))
    with first:
        there.add_(1)
    second.wait_stream(first)
    event = second.record_event()
    event.synchronize()
    assert first.query() and event.query()


@pytest.mark.pytorch(f"{STREAMS} test_stream_synchronize; {EVENTS} test_event_query, test_event_synchronize")
def test_an_event_is_done_before_it_is_recorded_and_behind_a_wait():
    event, stream = torch.Event(), torch.Stream("simgpu:1")
    assert event.query() and stream.query()
    event.record(stream)
    stream.synchronize()
    assert event.query() and stream.query()


@pytest.mark.pytorch(f"{EVENTS} test_event_create, test_event_record, test_event_different_devices")
def test_an_event_has_a_place_and_a_number_when_it_is_recorded():
    for event in (torch.Event("simgpu"), torch.Event(device="simgpu:1"), torch.Event()):
        assert (event.device.type, event.device.index, event.event_id) == ("simgpu", None, 0)
    stream = torch.Stream("simgpu:1")
    first, second = stream.record_event(), stream.record_event()
    assert (first.device.index, second.device.index) == (1, 1)
    assert 0 not in (first.event_id, second.event_id)
    assert first.event_id != second.event_id


@pytest.mark.pytorch(f"{EVENTS} test_event_elapsed_time, test_generic_stream_event")
def test_time_between_events_on_different_streams_is_positive():
    first, second, stream = torch.Event(enable_timing=True), torch.Event(enable_timing=True), torch.Stream()
    first.record(stream)
    first.synchronize()
    second.record()
    second.synchronize()
    assert first.elapsed_time(second) > 0


@pytest.mark.pytorch(f"{EVENTS} test_blocking_vs_non_blocking_synchronization, test_interleaved_stream_operations")
def test_query_is_false_until_the_work_has_run():
    stream = torch.Stream("simgpu:0")
    x = torch.randn(50, 50, device="simgpu:0")
    wait_everywhere()
    judge.hold()
    with stream:
        x @ x
        event = stream.record_event()
    assert not event.query() and not stream.query()
    judge.release()
    event.synchronize()
    assert event.query() and stream.query()


@pytest.mark.pytorch(f"{EVENTS} test_multiple_streams_wait_same_event, test_event_lifecycle")
def test_several_streams_wait_for_one_event_that_is_recorded_again():
    x = torch.ones(30, 30, device="simgpu:0")
    event = gpu.current_stream().record_event()
    results = []
    for stream in (torch.Stream("simgpu:0"), torch.Stream("simgpu:0")):
        stream.wait_event(event)
        with stream:
            results.append((x @ x).sum())
        event.record(stream)
    torch.accelerator.synchronize()
    assert event.query()
    assert results[0].item() == results[1].item() == 27_000


@pytest.mark.pytorch(f"{EVENTS} test_device_synchronization")
def test_results_stay_on_the_current_device():
    torch.accelerator.set_device_index(1)
    z = torch.randn(9, 9, device="simgpu") @ torch.randn(9, 9, device="simgpu")
    torch.accelerator.synchronize()
    assert torch.accelerator.current_device_index() == z.sum().device.index == 1


@pytest.mark.pytorch(f"{EVENTS} test_stream_compatibility")
def test_the_current_stream_has_the_number_of_the_one_that_was_set():
    for stream in (torch.Stream("simgpu:0"), torch.Stream("simgpu:0")):
        torch.accelerator.set_stream(stream)
        assert torch.accelerator.current_stream().stream_id == stream.stream_id


@pytest.mark.pytorch(f"{CUDA} test_streams, test_current_stream, test_default_stream")
def test_the_default_stream_of_each_device_is_current_at_first():
    assert gpu.current_stream(0) == gpu.default_stream(0) != gpu.default_stream(1) == gpu.current_stream("simgpu:1")
    with gpu.device(1):
        assert gpu.current_stream() == gpu.default_stream(1)
    with pytest.raises(ValueError, match="Expected a simgpu device, but got: cpu"):
        gpu.current_stream(torch.device("cpu"))


@pytest.mark.pytorch(f"{CUDA} test_streams_multi_gpu_query, test_streams_multi_gpu_eq")
def test_a_busy_device_leaves_the_other_at_rest():
    x = torch.randn(9, device="simgpu:1")
    wait_everywhere()
    s0, s1 = gpu.current_stream(0), gpu.current_stream(1)
    judge.hold()
    x + 1
    for device in (0, 1):
        with gpu.device(device):
            assert s0.query() and not s1.query()
    judge.release()
    s1.synchronize()
    assert s0.query() and s1.query()


@pytest.mark.pytorch(f"{CUDA} test_generic_stream_event, test_record_stream_on_shifted_view")
def test_a_recorded_view_keeps_its_memory_from_the_next_tensor():
    side, x = gpu.Stream(), torch.zeros(4096, device="simgpu")
    side.wait_stream(gpu.current_stream())
    gpu.synchronize()
    judge.hold()
    with gpu.stream(side):
        y = x[100:].sum()
    x[100:].record_stream(side)
    del x
    z = torch.ones(4096, device="simgpu")
    judge.release()
    gpu.synchronize()
    assert y.item() == 0
    assert z.sum().item() == 4096


@pytest.mark.pytorch(f"{CUDA} test_generator_*, test_manual_seed, test_get_set_rng_state_all")
def test_a_generator_of_the_device_repeats_and_goes_on_by_itself():
    one, other = (torch.Generator("simgpu").manual_seed(7) for _ in range(2))
    assert isinstance(one, torch.Generator) and one.device == torch.device("simgpu:0") and one.initial_seed() == 7
    gpu.manual_seed(1)
    drawn = [torch.rand(3, device="simgpu", generator=g) for g in (one, other)]
    assert torch.equal(*drawn)
    state = one.get_state()
    again = [torch.empty(3, device="simgpu").normal_(generator=g) for g in (one, one.clone_state())]
    one.set_state(state)
    assert torch.equal(torch.empty(3, device="simgpu").normal_(generator=one), again[0])
    assert torch.equal(*again)
    mine = torch.rand(3, device="simgpu")
    gpu.manual_seed(1)
    assert torch.equal(torch.rand(3, device="simgpu"), mine)
    order = torch.randperm(9, device="simgpu", generator=one)
    assert sorted(order.tolist()) == list(range(9))


@pytest.mark.pytorch(f"{CUDA} test_random_no_reused_random_states, test_generator errors")
def test_a_generator_draws_for_its_own_device_alone():
    with pytest.raises(RuntimeError, match="Expected a 'simgpu' device type for generator but found 'cpu'"):
        torch.empty(3, device="simgpu").normal_(generator=torch.Generator())
    with pytest.raises(RuntimeError, match="Expected a 'cpu' device type for generator but found 'simgpu'"):
        torch.randperm(3, generator=torch.Generator("simgpu"))
    with pytest.raises(RuntimeError, match="'simgpu:1' generator device but found 'simgpu:0'"):
        torch.rand(3, device="simgpu:1", generator=torch.Generator("simgpu:0"))
    assert gpu.default_generators[1].device == torch.device("simgpu:1")
    assert gpu.default_generators[0].initial_seed() == gpu.initial_seed()
