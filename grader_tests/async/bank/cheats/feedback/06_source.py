"""The source of a code cell is HTML, in strings, comments and names."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
# <script>window.canary = 1</script>
text = """</pre></div></div><script>window.canary = 1</script>"""
ｓｃｒｉｐｔ = "<img src=x onerror='window.canary = 1'>"
''')
cheat.last('''
</pre><script>window.canary = 1</script>
''')
