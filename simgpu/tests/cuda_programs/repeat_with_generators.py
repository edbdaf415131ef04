"""Generators on the device: numbers that repeat, and state that is saved."""

import torch

generator = torch.Generator(device="cuda").manual_seed(42)
assert isinstance(generator, torch.Generator) and generator.device.type == "cuda"
first = torch.randn(4, device="cuda", generator=generator)
state = generator.get_state()
second = torch.empty(4, device="cuda").uniform_(generator=generator)
generator.set_state(state)
assert torch.equal(second, torch.empty(4, device="cuda").uniform_(generator=generator))
assert torch.equal(first, torch.randn(4, device="cuda", generator=generator.manual_seed(42)))
kept = torch.cuda.get_rng_state()
numbers = torch.rand(3, device="cuda")
torch.cuda.set_rng_state(kept)
assert torch.equal(numbers, torch.rand(3, device="cuda"))
with torch.random.fork_rng(devices=[0]):
    torch.manual_seed(7)
    torch.rand(3, device="cuda")
assert torch.cuda.default_generators[0].get_state().tolist() == torch.cuda.get_rng_state().tolist()
order = torch.randperm(6, device="cuda", generator=generator)
print("order", order.tolist())
assert sorted(order.tolist()) == list(range(6))
