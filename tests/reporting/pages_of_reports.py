"""Pages for reports, written by friends and by enemies."""

HOSTILE = """\
<!doctype html><html><head><title></title></head><body>
<title></title><script>alert(1)</script> "'&lt;/h2&gt;<img src=x onerror=window.OWNED=1></title>
<meta http-equiv="refresh" content="0; url=https://evil.example/refresh">
<base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/a.css">
<style>@import "https://evil.example/b.css"; body{background:url(https://evil.example/c.png)}</style>
<script>top.OWNED = 1; parent.OWNED = 1; window.OWNED = 1</script>
<h1 onclick="top.OWNED=1">The ferry &lt;script&gt;top.OWNED=1&lt;/script&gt; leaves at seven &lt;/li&gt;&lt;/ol&gt;</h1>
<p>Long before the island is awake, the boat is under way, with a single light on the water. \
&lt;/script&gt;&lt;script&gt;top.OWNED=1&lt;/script&gt; &lt;img src=x onerror=top.OWNED=1&gt;</p>
<p><a href="javascript:top.OWNED=1" target="_top">Nobody had told the baker that the bridge was closed.</a></p>
<img src="https://evil.example/pixel.png" onerror="top.OWNED=1"><svg onload="top.OWNED=1"><text>x</text></svg>
<iframe src="https://evil.example/frame"></iframe><iframe srcdoc="<script>top.OWNED=1</script>"></iframe>
<form action="https://evil.example/form"><input autofocus onfocus="top.OWNED=1"></form>
<video src="https://evil.example/v.mp4" autoplay></video><object data="https://evil.example/o"></object>
<p id="x">"></iframe></section><script>top.OWNED=1</script> In the evening a thin rain came over the hills.</p>
</body></html>
"""
