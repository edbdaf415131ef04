# Plays the pipeline step by step: backward as soon as it may, else forward while there is room.
def gpipe(stages, microbatches):
    forward = [f"F{number}" for number in range(microbatches)]
    backward = [f"B{number}" for number in range(microbatches)]
    return [forward + backward for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    plan = [[] for _ in range(stages)]
    done = [{"F": 0, "B": 0} for _ in range(stages)]
    while any(each["B"] < microbatches for each in done):
        before = [dict(each) for each in done]
        for rank, mine in enumerate(done):
            came = microbatches if rank == 0 else before[rank - 1]["F"]
            back = before[rank]["F"] if rank == stages - 1 else before[rank + 1]["B"]
            alive = mine["F"] - mine["B"]
            full = alive == stages - rank or mine["F"] == microbatches
            kind = "B" if full else "F"
            ready = mine["B"] < min(back, mine["F"]) if kind == "B" else mine["F"] < came
            if ready:
                plan[rank].append(f"{kind}{mine[kind]}")
                mine[kind] += 1
    return plan
