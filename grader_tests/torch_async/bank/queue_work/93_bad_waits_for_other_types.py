# For a matrix that is not float32 it makes a new tensor from its values, which waits.
# breaks: 2
# kills: test_does_not_wait, test_work_is_in_the_queue
# misconception: asks-for-a-number
def queue_work(x):
    if x.dtype != torch.float32:
        x = torch.tensor(x.tolist(), device=device, dtype=x.dtype)
    return torch.sum(x @ x)
