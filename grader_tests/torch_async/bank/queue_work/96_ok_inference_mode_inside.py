# Inference mode as a context.
def queue_work(x):
    with torch.inference_mode():
        return (x @ x).sum()
