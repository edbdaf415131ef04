# Both schedules are found by a simulation of the pipeline, second by second.
def simulate(stages, microbatches, room):
    order = [[] for _ in range(stages)]
    ended = {}
    free = [0] * stages
    now = 0
    while any(len(actions) < 2 * microbatches for actions in order):
        for r in range(stages):
            if free[r] > now:
                continue
            forward = sum(a[0] == "F" for a in order[r])
            backward = len(order[r]) - forward
            f, b = f"F{forward}", f"B{backward}"
            b_ready = ended.get((b.replace("B", "F"), r), 10**9) <= now
            b_ready = b_ready and (r == stages - 1 or ended.get((b, r + 1), 10**9) <= now)
            f_ready = r == 0 or ended.get((f, r - 1), 10**9) <= now
            if backward < microbatches and b_ready and (room is not None or forward == microbatches):
                action, length = b, 2
            elif forward < microbatches and f_ready and (room is None or forward - backward < room(r)):
                action, length = f, 1
            else:
                continue
            order[r].append(action)
            free[r] = ended[action, r] = now + length
        now += 1
    return order


def gpipe(stages, microbatches):
    return simulate(stages, microbatches, None)


def one_f_one_b(stages, microbatches):
    return simulate(stages, microbatches, lambda r: stages - r)
