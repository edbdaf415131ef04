"""PyTorch's operator database on the device beside the CPU: a command that prints the table."""
