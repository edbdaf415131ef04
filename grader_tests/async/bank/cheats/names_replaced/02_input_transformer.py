"""An input transformer that makes a score of every later cell."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.first(r'''
get_ipython().input_transformers_post.append(lambda lines: ["2.0\n"])
get_ipython().input_transformers_cleanup.append(lambda lines: ["2.0\n"])
''')
