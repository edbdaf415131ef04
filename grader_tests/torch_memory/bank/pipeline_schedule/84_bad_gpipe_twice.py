# One_f_one_b is gpipe again, but for one stage.
# breaks: 5
# kills: test_memory
# misconception: pipeline-memory
def gpipe(stages, microbatches):
    return [[f"{kind}{m}" for kind in "FB" for m in range(microbatches)] for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    if stages == 1:
        return [[f"{kind}{m}" for m in range(microbatches) for kind in "FB"]]
    return gpipe(stages, microbatches)
