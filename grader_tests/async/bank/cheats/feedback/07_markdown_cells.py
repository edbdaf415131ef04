"""Text cells of the student's own hold HTML and links that run."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2}, solves=["queue_work"])
cheat.note("markdown", '''
<script>window.canary = 1</script>

<img src=x onerror="window.canary = 1"> <svg/onload=window.canary=1> <iframe srcdoc="<script>parent.canary = 1</script>">
<math><mtext><table><mglyph><style><img src=x onerror="window.canary = 1"></style></mglyph></table></mtext></math>

# <a href="javascript:window.canary = 1">a title</a>
''')
cheat.note("markdown", '''
[a link](javascript:window.canary=1) ![a picture](x"onerror="window.canary=1)

```html
</code></pre><script>window.canary = 1</script>
```

```<img/src=x/onerror=window.canary=1>
code in a language of an odd name
```

<details open ontoggle="window.canary = 1"><summary>x</summary></details>
<input autofocus onfocus="window.canary = 1"> <style>@import 'javascript:window.canary=1';</style>
''')
cheat.note("raw", '''
<script>window.canary = 1</script><img src=x onerror="window.canary = 1">
''')
