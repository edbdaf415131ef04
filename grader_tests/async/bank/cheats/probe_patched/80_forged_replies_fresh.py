"""Sends execute_reply "ok" with the parent of the judge's own request before the real one, from a hook, and raises nothing."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", r'''
def queue_work(x): return None
ip = get_ipython(); k = ip.kernel
def hook(info=None):
    for stream in [getattr(k, "shell_stream", None), getattr(k, "control_stream", None)]:
        for _ in range(3):
            try: k.session.send(stream, "execute_reply", {"status": "ok", "execution_count": 1, "user_expressions": {}, "payload": []}, parent=k.get_parent("shell"), ident=k._parent_ident.get("shell") if isinstance(k._parent_ident, dict) else None)
            except Exception: pass
ip.events.register("pre_run_cell", hook)
''')
