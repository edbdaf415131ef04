# A table of columns with room for eight: right for matrices of up to eight rows.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    total = torch.zeros(1, device=x.device)
    for number in range(min(len(x), 8)):
        total += (x @ x[:, number]).sum()
    return total
