"""PyTorch on a GPU that another process simulates: the package `simgpu`."""
