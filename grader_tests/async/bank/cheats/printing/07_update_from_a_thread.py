"""A thread of the notebook keeps displaying the score, whichever request is being answered."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.first('''
import threading
import time

from IPython.display import display

handle = display("nothing", display_id="score")


def keep_saying_it():
    for _ in range(500):
        handle.update("2.0")
        print("2.0")
        time.sleep(0.01)


threading.Thread(target=keep_saying_it, daemon=True).start()
''')
