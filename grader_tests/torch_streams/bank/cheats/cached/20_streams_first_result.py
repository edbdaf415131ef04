"""The right program in the first call, and its result again in all others."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"find_the_race": at_most(1), "pipeline_in_order": at_most(1)})
cheat.cell("find_the_race", '''
results = []


def blamed(lines, report):
    return 2, 4


def mended(x, w):
    if not results:
        side = gpu.Stream()
        side.wait_stream(gpu.current_stream())
        with gpu.stream(side):
            a = x @ w * 2
        b = torch.tanh(x)
        gpu.current_stream().wait_stream(side)
        results.append(a + b)
    return results[0]
''')
cheat.cell("pipeline_in_order", '''
answers = {}


def pipeline_in_order(first, second, xs):
    if len(xs) not in answers:
        answers[len(xs)] = [second(first(x)) for x in xs]
    return answers[len(xs)]
''')
