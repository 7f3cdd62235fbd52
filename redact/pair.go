package redact

import (
	"strings"

	"kstatus.dev/redact/internal/naming"
)

// namedBefore reports whether a secret name was given shortly before an offset,
// as in {"name":"PASSWORD","value":"…"}.
func (sc *scanner) namedBefore(at int) bool {
	const near = 160
	from := max(0, at-near)
	before := sc.s[from:at]
	sc.steps += len(before)
	name, key := strings.LastIndex(before, "ame"), strings.LastIndex(before, "ey")
	i := max(name+len("ame"), key+len("ey"))
	if name < 0 && key < 0 || strings.ContainsAny(before[i:], "{}") {
		return false
	}
	rest := strings.TrimLeft(before[i:], "\"'`\\:= \t")
	end := 0
	for end < len(rest) && (isWord(rest[end]) || rest[end] == '.') {
		end++
	}
	return naming.Of(rest[:end]).IsSecret()
}

// namedAfter reports whether the value of a pair, which begins at an offset, stands before a name of
// a secret: value: …, name: DB_PASSWORD.
func (sc *scanner) namedAfter(at int) bool {
	const near = 160
	s := sc.s
	for at < len(s) && isBlank(s[at]) {
		at++
	}
	a := assignment{}
	if a.value, a.quote = openQuote(s, at); a.value >= len(s) {
		return false
	}
	end := sc.valueEnd(a, a.value+valueWindow)
	after := s[end:min(len(s), end+near)]
	sc.steps += len(after)
	if i := strings.IndexAny(after, "{}[]"); i >= 0 {
		after = after[:i]
	}
	for i := 1; i < len(after); i++ {
		if after[i-1] == '-' && startsLine(after, i-1) && strings.Contains(after[:i], "\n") {
			return false // the next item of a list
		}
		field := 0
		for _, name := range [...]string{"name", "Name", "key", "Key"} {
			if strings.HasPrefix(after[i:], name) && !isWord(after[i-1]) {
				field = len(name)
			}
		}
		rest := strings.TrimLeft(after[i+field:], "\"'`\\ \t")
		if field == 0 || rest == "" || rest[0] != ':' && rest[0] != '=' {
			continue
		}
		rest = strings.TrimLeft(rest, "\"'`\\:= \t")
		end := 0
		for end < len(rest) && (isWord(rest[end]) || rest[end] == '.') {
			end++
		}
		if naming.Of(rest[:end]).IsSecret() {
			return true
		}
	}
	return false
}
