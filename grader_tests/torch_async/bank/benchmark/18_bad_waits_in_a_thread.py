# A thread waits; the clock does not wait for the thread.
# breaks: 2
# kills: test_every_stream_counts, test_finished_when_the_clock_was_read
# misconception: clock-sees-the-work
def benchmark(work, clock=time.perf_counter):
    import threading

    gpu.synchronize()
    start = clock()
    work()
    seconds = clock() - start
    threading.Thread(target=gpu.synchronize).start()
    return seconds
