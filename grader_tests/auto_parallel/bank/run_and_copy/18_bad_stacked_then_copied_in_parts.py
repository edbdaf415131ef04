# Joins the results in one array on the device and copies its rows.
# breaks: 4
# misconception: order-of-lines
def run_and_copy(x):
    joined = nd.concat(*[nd.expand_dims(y, axis=0) for y in run(x)], dim=0)
    copies = [nd.squeeze(part, axis=0).copyto(mx.cpu()) for part in nd.split(joined, num_outputs=10, axis=0)]
    nd.waitall()
    return copies
