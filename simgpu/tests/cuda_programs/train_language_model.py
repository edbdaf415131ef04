"""A small transformer that predicts the next character: bfloat16, fused AdamW, clipping, sampling."""

import torch
import torch.nn.functional as F
from torch import nn

device = "cuda"
torch.manual_seed(1)
torch.cuda.manual_seed(1)
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
dtype = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
CONTEXT, WIDTH, HEADS, SYMBOLS = 16, 32, 4, 30


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 64), nn.GELU(), nn.Linear(64, WIDTH), nn.Dropout(0.1))

    def forward(self, x):
        batch, length, _ = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, WIDTH))
        return x + self.mlp(self.norm2(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.symbols, self.places = nn.Embedding(SYMBOLS, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.block, self.norm = Block(), nn.LayerNorm(WIDTH)

    def forward(self, tokens):
        x = self.symbols(tokens) + self.places(torch.arange(tokens.size(1), device=tokens.device))
        return self.norm(self.block(x)) @ self.symbols.weight.t()


text = torch.arange(400) % SYMBOLS
model = torch.compile(Model().to(device))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, fused=True)
losses = []
for _ in range(10):
    at = torch.randint(len(text) - CONTEXT - 1, (8,)).tolist()
    x, y = (torch.stack([text[i + k : i + k + CONTEXT] for i in at]).pin_memory() for k in (0, 1))
    x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
    with torch.autocast(device_type=device, dtype=dtype):
        logits = model(x)
        loss = F.cross_entropy(logits.view(-1, SYMBOLS), y.view(-1))
    assert logits.dtype == dtype and loss.dtype == torch.float32
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    losses.append(loss.detach())
assert losses[-1].item() < losses[0].item()
model.eval()
tokens = torch.zeros(1, 1, dtype=torch.long, device=device)
with torch.inference_mode():
    for _ in range(4):
        chances = F.softmax(model(tokens[:, -CONTEXT:])[:, -1].float(), dim=-1)
        tokens = torch.cat([tokens, torch.multinomial(chances, 1)], dim=1)
print("sampled", tokens[0].tolist())
