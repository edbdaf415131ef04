# In inference mode, with the method matmul.
@torch.inference_mode()
def queue_work(x):
    return x.matmul(x).flatten().sum(-1)
