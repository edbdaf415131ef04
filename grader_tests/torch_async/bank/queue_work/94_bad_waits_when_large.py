# Checks large products for overflow, which waits, and small ones not.
# breaks: 2
# kills: test_does_not_wait
# misconception: asks-for-a-number
def queue_work(x):
    product = x @ x
    if x.shape[0] >= 100 and not torch.isfinite(product).all():
        product = torch.nan_to_num(product)
    return product.sum()
