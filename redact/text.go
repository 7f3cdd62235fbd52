package redact

import (
	"cmp"
	"slices"
	"strings"

	"kstatus.dev/internal/text"
)

// Placeholder replaces a secret.
const Placeholder = "<redacted>"

// placeholderStart is the beginning of [Placeholder], also with a number.
const placeholderStart = "<redacted"

// minLength is the length of the shortest text that can contain a secret.
const minLength = 5

// maxRounds limits how often a text is scanned again after a replacement,
// which can reveal more.
const maxRounds = 6

// Text returns a text without the secrets that it recognizes. The rest of the
// text is unchanged. A text that ends with an ellipsis counts as cut: the
// beginning of a secret at its end is replaced, too.
func Text(s string) string {
	if len(s) < minLength {
		return s
	}
	return replaceAll(s, 0, nil)
}

// replaceAll replaces secrets until it finds none. It scans documents inside of
// texts once, because the effort would multiply.
func replaceAll(s string, depth int, placeholder func(string) string) string {
	for n := 0; n < maxRounds && (n == 0 || depth == 0); n++ {
		next := replaceOnce(s, depth, placeholder)
		if next == s {
			break
		}
		s = next
	}
	return s
}

// Cut is like Text, and cuts the result to at most n bytes, including an
// ellipsis. It searches for secrets first, because it might not recognize a
// secret that is cut.
func Cut(s string, n int) string {
	// The text far after the cut does not matter, and may be long.
	const lookahead = 16 << 10
	if len(s) > n+lookahead {
		s = text.Cut(s, n+lookahead)
	}
	return text.Cut(Text(s), n)
}

// Find returns the kind of the first secret in a text, such as "a password". It
// is empty if there is none. A numbered placeholder, as of [Objects], counts as
// a secret.
func Find(s string) string {
	if len(s) < minLength {
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

// replaceOnce scans a text once, and replaces secrets by [Placeholder] or by the
// result of placeholder.
func replaceOnce(s string, depth int, placeholder func(string) string) string {
	if placeholder == nil {
		placeholder = func(string) string { return Placeholder }
	}
	sc := scanner{s: s}
	sc.scan()
	seen := sc.replace(placeholder)
	v, ok := decodeJSON(s, depth)
	if !ok {
		return seen
	}
	o := &Objects{newPlaceholder: placeholder, depth: depth + 1}
	whole := o.encoded(s, v)
	if whole == s {
		return seen
	}
	// The visible text may be the whole text; then the fields keep their order.
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

// These are the kinds of secrets, as messages name them.
const (
	aPassword   = "a password"
	aToken      = "a token"
	aKey        = "a key"
	anAccessKey = "an access key"
	aPrivateKey = "a private key"
	aSecret     = "a secret"
)

// A scanner searches a text for secrets. Each method scans the text once.
type scanner struct {
	s     string
	cut   int // the start of the ellipsis of a cut text; otherwise the length of the text.
	found []span
	steps int // scanned bytes, for tests of the running time.

	depth   int // how often the text was decoded from base64.
	decoded int // the end of the base64 that was decoded last.
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

// cutAt returns the start of an ellipsis at the end of a text, or the length of
// the text.
func cutAt(s string) int {
	end := len(s)
	if strings.HasSuffix(s, " bytes)") { // the ellipsis of reports: "… (12345 bytes)"
		end = max(0, strings.LastIndex(s[max(0, end-32):], " (")+max(0, end-32))
	}
	for _, mark := range [...]string{"…", "..."} {
		if strings.HasSuffix(s[:end], mark) {
			return end - len(mark)
		}
	}
	return len(s)
}

// add adds a secret, unless it is empty or a placeholder.
func (sc *scanner) add(from, to int, kind string) {
	if from >= to || from < 0 {
		return
	}
	sc.found = append(sc.found, span{from, to, kind})
}

// merged returns the secrets in order, without replaced ones.
// Overlapping ones are merged.
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

// isReplaced reports whether a part of a text is inside of a placeholder.
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
	const longest = 24 // length of a placeholder
	near := max(0, from-longest)
	start := strings.LastIndex(s[near:min(len(s), from+len(placeholderStart))], placeholderStart)
	return start >= 0 && near+start <= from && placeholderEnd(s, near+start) >= to
}

// placeholderEnd returns the end of the placeholder at an offset, or the offset
// if there is none.
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

// replace returns the text with each secret replaced by the result of placeholder.
func (sc *scanner) replace(placeholder func(string) string) string {
	all := sc.merged()
	if len(all) == 0 {
		return sc.s
	}
	var b strings.Builder
	done := 0
	for _, f := range all {
		b.WriteString(sc.s[done:f.from])
		b.WriteString(placeholder(sc.s[f.from:f.to]))
		done = f.to
	}
	b.WriteString(sc.s[done:])
	return b.String()
}
