# Waits for every parameter, which is what the last step writes.
def train_async(network, batches, criterion, optimiser):
    for inputs, targets in batches():
        with autograd.record():
            output = criterion(network(inputs), targets)
        output.backward()
        optimiser.step(inputs.shape[0])
    for parameter in network.collect_params().values():
        parameter.data().wait_to_read()
