# 1F1B under both names.
# breaks: 4
# kills: test_gpipe_order
# misconception: reads-the-task
def gpipe(stages, microbatches):
    return one_f_one_b(stages, microbatches)


def one_f_one_b(stages, microbatches):
    schedule = []
    for rank in range(stages):
        ahead = min(stages - rank, microbatches)
        actions = [f"F{number}" for number in range(ahead)]
        for number in range(microbatches):
            actions.append(f"B{number}")
            if ahead + number < microbatches:
                actions.append(f"F{ahead + number}")
        schedule.append(actions)
    return schedule
