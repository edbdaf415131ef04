# The source of a code cell is HTML, in strings, comments and names.
# assignment: async
# deserves: queue_work=0
# %% cell queue_work
# <script>window.canary = 1</script>
text = """</pre></div></div><script>window.canary = 1</script>"""
ｓｃｒｉｐｔ = "<img src=x onerror='window.canary = 1'>"
# %% last
</pre><script>window.canary = 1</script>
