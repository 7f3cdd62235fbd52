package outputs

// texts are texts that a tenant, a file or a server may contain.
var texts = []string{
	`</b></summary></details><h1>All checks passed</h1><a href="https://evil.example">x</a><img src=x onerror=alert(1)><script>alert(1)</script>`,
	"<details open><summary>mine</summary>",
	"<!-- ", "-->", "<![CDATA[", "]]>", "<?php", "&lt;h1&gt;", "&#60;h1&#62;",
	"see https://evil.example/a?b=c&d=(e) and www.evil.example, mail me@evil.example or ftp://evil.example/x",
	`Get "https://evil.example/v2/": dial tcp`, "https://evil.example/`|x", "mailto:me@evil.example", "http://a|b", "https://evil.example/`", "HTTPS://EVIL.EXAMPLE", "xmpp:me@evil.example",
	"[x](https://evil.example)", "![x](https://evil.example/x.png)", "[x]: https://evil.example", "<https://evil.example>", "[x][y]",
	"@everyone", "x @octocat x", "me@octocat", "fixes #123", "GH-123", "!123",
	"# heading", "## heading", "- item", "+ item", "* item", "1. item", "1) item", "> quote", "---", "===", "```", "~~~", "    code", "| a | b |", "a|b", `a\|b`, "\\", "`", "``", "```sh", "*x* _y_ **z** ~~u~~", "$x$", "[ ] task", "[x] task",
	"::error::x", "::set-output name=a::b", "##[add-mask]x", "##[error]x", "##vso[task.setvariable variable=x]y", "##teamcity[buildStatus text='x']", "x ::stop-commands::y", "::add-mask::a",
	"\x1b[31mred\x1b]0;title\x07", "\u009b31m", "\u202eback\u2066", "zero\u200bwidth\ufeff", "tag\U000e0041", "soft\u00adhyphen", "fill\u3164er", "\u2028line\u2029", "\x00\x07\x7f", "\ufffe\uffff", "\xff\xfe", "\xed\xa0\x80", "a\r\nb", "a\nb\n\nc", "\ta",
	"a: b", "--- \na: b", "%YAML", "!!binary x", "&x *x", "{a: b}", "'", `"`, "$(reboot)", "`reboot`", "'; reboot; '", " --server=https://evil.example",
	"👩‍👩‍👧‍👦 ❤️‍🔥", "数据库连接失败", "é",
}

// textsFor returns the texts for a place: all of them for allPlaces, and a quarter for a single
// place. The single places together get all texts.
func textsFor(where place) (some []string) {
	for i, text := range texts {
		if where == allPlaces || i%4 == len(where)%4 {
			some = append(some, text)
		}
	}
	return some
}
