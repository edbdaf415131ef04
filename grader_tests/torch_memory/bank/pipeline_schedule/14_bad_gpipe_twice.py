# GPipe under both names.
# breaks: 5
# kills: test_memory, test_one_stage
# misconception: pipeline-memory
def gpipe(stages, microbatches):
    forward = [f"F{number}" for number in range(microbatches)]
    backward = [f"B{number}" for number in range(microbatches)]
    return [forward + backward for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    return gpipe(stages, microbatches)
