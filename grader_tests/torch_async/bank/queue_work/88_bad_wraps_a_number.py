# Makes a new tensor of the number: that asked for the number first.
# breaks: 2
# kills: test_does_not_wait, test_value, test_work_is_in_the_queue
# misconception: asks-for-a-number
def queue_work(x):
    return torch.tensor([(x @ x).sum().item()], device=x.device)
