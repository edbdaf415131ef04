"""PyTorch's operator database on the device, compared with the CPU: a command that prints the table."""
