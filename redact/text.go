package redact

import (
	"cmp"
	"slices"
	"strings"

	"kstatus.dev/internal/text"
)

// Placeholder stands where a secret was.
const Placeholder = "<redacted>"

// placeholderStart begins [Placeholder] and those with a number.
const placeholderStart = "<redacted"

// shortest is the length of the shortest text that may hold a secret.
const shortest = 5

// mostRounds bounds how often a text is looked at again after something was replaced,
// which may show more.
const mostRounds = 6

// Text returns a text without secrets, as far as they can be told by their form or by
// what is around them. What is left of it is the same as in the text given. A text that
// ends with an ellipsis is taken as cut: the beginning of a secret at its end is
// replaced, too.
func Text(s string) string {
	if len(s) < shortest {
		return s
	}
	return stable(s, 0, nil)
}

// stable replaces what is found until nothing is found any more. Within documents in a text,
// whose effort would multiply, it looks once.
func stable(s string, depth int, place func(string) string) string {
	for n := 0; n < mostRounds && (n == 0 || depth == 0); n++ {
		next := once(s, depth, place)
		if next == s {
			break
		}
		s = next
	}
	return s
}

// Cut returns a text as Text does, of at most n bytes; one that is longer ends with an
// ellipsis. It looks for secrets first, so that none is cut where it cannot be told.
func Cut(s string, n int) string {
	// What is far behind the cut does not matter, and may be long.
	const behind = 16 << 10
	if len(s) > n+behind {
		s = text.Cut(s, n+behind)
	}
	return text.Cut(Text(s), n)
}

// Find returns what the first secret in a text looks like, such as "a password"; empty
// if there is none. A placeholder with a number, as [Objects] have them, tells of one.
func Find(s string) string {
	if len(s) < shortest {
		return ""
	}
	sc := scanner{s: s}
	sc.scan()
	for _, f := range sc.merged() {
		return f.kind
	}
	for at := 0; ; {
		i := strings.Index(s[at:], placeholderStart+" ")
		if i < 0 {
			return ""
		}
		if at += i; placeholderEnd(s, at) > at {
			return aSecret
		}
		at += len(placeholderStart)
	}
}

// once replaces what is found by looking once, by [Placeholder] or by what a function returns
// for it.
func once(s string, depth int, place func(string) string) string {
	if place == nil {
		place = func(string) string { return Placeholder }
	}
	sc := scanner{s: s}
	sc.scan()
	seen := sc.replaced(place)
	v, ok := decodeJSON(s, depth)
	if !ok {
		return seen
	}
	o := &Objects{place: place, depth: depth + 1}
	whole := o.encoded(s, v)
	if whole == s {
		return seen
	}
	// What is seen as text may be all there is; then the fields keep their order.
	if v, ok := decodeJSON(seen, depth); ok && seen != s && o.encoded(seen, v) == seen {
		return seen
	}
	return whole
}

// A span is a secret in a text.
type span struct {
	from, to int
	kind     string
}

// The kinds of secrets, as people are told.
const (
	aPassword   = "a password"
	aToken      = "a token"
	aKey        = "a key"
	anAccessKey = "an access key"
	aPrivateKey = "a private key"
	aSecret     = "a secret"
)

// A scanner looks for secrets in one text. Each way to find them passes the text once.
type scanner struct {
	s     string
	cut   int // where the text was cut off: the start of its ellipsis; its length if it was not cut
	found []span
	steps int // bytes looked at, for tests of how the effort grows
}

func (sc *scanner) scan() {
	s := sc.s
	sc.cut = cutAt(s)
	if strings.ContainsAny(s, "=:") {
		sc.assignments()
	}
	sc.words()
	sc.runs()
	if strings.Contains(s, "@") || sc.cut < len(s) || strings.Contains(s, "://") {
		sc.addresses()
	}
	if strings.Contains(s, "PRIVATE KEY") || strings.Contains(s, "-----BEGIN") {
		sc.privateKeys()
	}
	if strings.Contains(s, "Secret") || strings.Contains(s, "stringData") {
		sc.secretBlocks()
	}
	if strings.Contains(s, "</") {
		sc.elements()
	}
}

// cutAt returns where the text ends that is before an ellipsis at the end, the length
// of the text if there is none.
func cutAt(s string) int {
	end := len(s)
	if strings.HasSuffix(s, " bytes)") { // "… (12345 bytes)", as reports have it
		end = max(0, strings.LastIndex(s[max(0, end-32):], " (")+max(0, end-32))
	}
	for _, mark := range [...]string{"…", "..."} {
		if strings.HasSuffix(s[:end], mark) {
			return end - len(mark)
		}
	}
	return len(s)
}

// add notes a secret, unless it is a placeholder or nothing.
func (sc *scanner) add(from, to int, kind string) {
	if from >= to || from < 0 {
		return
	}
	sc.found = append(sc.found, span{from, to, kind})
}

// merged returns what was found in order, without what is replaced already; what
// overlaps is one.
func (sc *scanner) merged() []span {
	slices.SortFunc(sc.found, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var all []span
	for _, f := range sc.found {
		if n := len(all); n > 0 && f.from < all[n-1].to {
			all[n-1].to = max(all[n-1].to, f.to)
			continue
		}
		all = append(all, f)
	}
	return slices.DeleteFunc(all, func(f span) bool { return isReplaced(sc.s, f.from, f.to) })
}

// isReplaced reports whether a part of a text is a placeholder, or a part of one.
func isReplaced(s string, from, to int) bool {
	for to > from && isSpace(s[to-1]) {
		to--
	}
	for from < to && isSpace(s[from]) {
		from++
	}
	if from == to {
		return true
	}
	const longest = 24 // bytes of a placeholder
	near := max(0, from-longest)
	start := strings.LastIndex(s[near:min(len(s), from+len(placeholderStart))], placeholderStart)
	return start >= 0 && near+start <= from && placeholderEnd(s, near+start) >= to
}

// placeholderEnd returns where the placeholder at an offset ends; the offset if there is none.
func placeholderEnd(s string, at int) int {
	if !strings.HasPrefix(s[at:], placeholderStart) {
		return at
	}
	end := at + len(placeholderStart)
	if end < len(s) && s[end] == ' ' {
		n := end + 1
		for n < len(s) && n < end+10 && isDigit(s[n]) {
			n++
		}
		if n > end+1 {
			end = n
		}
	}
	if end < len(s) && s[end] == '>' {
		return end + 1
	}
	return at
}

// replaced returns the text with what a function returns for each secret that was found.
func (sc *scanner) replaced(place func(string) string) string {
	all := sc.merged()
	if len(all) == 0 {
		return sc.s
	}
	var b strings.Builder
	done := 0
	for _, f := range all {
		b.WriteString(sc.s[done:f.from])
		b.WriteString(place(sc.s[f.from:f.to]))
		done = f.to
	}
	b.WriteString(sc.s[done:])
	return b.String()
}
