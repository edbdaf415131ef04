"""Names of ``torch.cuda`` that are not simulated, with the reason in the error."""

_TYPES = "BFloat16 Bool Byte Char ComplexDouble ComplexFloat Double Float Half Int Long Short".split()

REASONS = {
    "there are no CUDA graphs; run the operations one by one": """CUDAGraph graph graphs graph_annotations
    graph_pool_handle make_graphed_callables export_dot export_graph_data""",
    "only tensors take memory, and only from the device's own allocator": """MemPool use_mem_pool
    CUDAPluggableAllocator change_current_allocator caching_allocator_alloc caching_allocator_delete
    caching_allocator_disabled caching_allocator_enable memory_snapshot
    memory._get_current_allocator memory._host_allocator memory._MemPool
    memory._cuda_CUDAAllocator memory._cuda_beginAllocateToPool memory._cuda_beginAllocateCurrentThreadToPool
    memory._cuda_endAllocateToPool memory._cuda_releasePool""",
    "start the device with SIMGPU_DEVICE_OPTIONS='--memory BYTES' for a smaller one": """set_per_process_memory_fraction
    get_per_process_memory_fraction""",
    "pinned memory is counted by host_memory_allocated alone": """host_memory_stats host_memory_stats_as_nested_dict
    reset_accumulated_host_memory_stats reset_peak_host_memory_stats""",
    "the device does not record who allocates; memory_summary and memory_stats count": """memory._record_memory_history
    memory._record_memory_history_impl memory._record_memory_history_legacy memory._allocation_traceback
    memory._get_memory_metadata memory._set_memory_metadata
    memory._snapshot memory._dump_snapshot memory._save_segment_usage memory._save_memory_usage""",
    "a kernel takes the time that it needs; a large matrix product takes long": "_sleep",
    "there is no hardware to ask": "utilization memory_usage temperature power_draw clock_rate list_gpu_processes",
    "this device has no CUDA library or driver": """cudart cudaStatus check_error CudaError
    DeferredCudaCallError current_blas_handle current_solver_handle ExternalStream get_stream_from_external
    GreenContext green_contexts jiterator nccl sparse tunable gds profiler _compile_kernel
    nvtx._device_range_start nvtx._device_range_end""",
    "use torch.amp, which knows this device": "amp",
    "use torch.tensor(..., dtype=..., device=...)": " ".join(
        f"{t}{kind}" for t in _TYPES for kind in ("Tensor", "Storage")
    ),
}
REFUSED = {name: reason for reason, names in REASONS.items() for name in names.split()}


def sentence(name: str, reason: str) -> str:
    """Return the error message for a program that uses such a name."""
    return f"simgpu: {name} is not simulated: {reason}"
