package redact

import (
	"strings"
	"unicode/utf8"
)

// encodedText adds base64 that decodes to a text with secrets, such as a kubeconfig. The text may have
// several lines. A path or a word of the same alphabet may precede it.
func (sc *scanner) encodedText(start, end int) {
	const least, mostDepth, mostPrefixes = 24, 3, 3
	s := sc.s
	if end-start < least || sc.depth >= mostDepth || start < sc.decoded {
		return
	}
	if start > 0 && s[start-1] == '\\' && strings.IndexByte("nrt", s[start]) >= 0 {
		start++ // of an escaped line break
	}
	first := s[start:end]
	run, end := sc.joinedLines(start, end)
	sc.decoded = end
	for from, n := 0, 0; ; n++ {
		sc.steps += len(run) - from
		if sc.decodesToSecret(run[from:]) {
			for end < len(s) && s[end] == '=' {
				end++
			}
			sc.add(start+from, end, aSecret)
			return
		}
		i := strings.IndexAny(first[from:], "-_/")
		if i < 0 || n == mostPrefixes {
			return
		}
		from += i + 1
	}
}

// joinedLines returns the lines of a text in base64 as one line, and their end. All lines but the last
// have the same length.
func (sc *scanner) joinedLines(start, end int) (string, int) {
	s, width := sc.s, end-start
	lines := []string{s[start:end]}
	for {
		from := lineBreak(s, end)
		to := from
		for to < len(s) && to-from < width && isBase64(s[to]) {
			to++
		}
		if from == end || to == from {
			break
		}
		lines, end = append(lines, s[from:to]), to
		if to-from < width {
			break
		}
	}
	sc.steps += end - start
	return strings.Join(lines, ""), end
}

// decodesToSecret reports whether base64 decodes to a text with secrets. A certificate has none.
func (sc *scanner) decodesToSecret(run string) bool {
	text := decodedStart(strings.TrimRight(run, "="), len(run))
	if len(text) == 0 || !isText(text) || strings.HasPrefix(text, "-----BEGIN CERTIFICATE") && !strings.Contains(text, "PRIVATE KEY") {
		return false
	}
	below := scanner{s: text, depth: sc.depth + 1}
	below.scan()
	sc.steps += below.steps
	return len(below.merged()) > 0
}

// lineBreak returns the offset after a line break with the blanks after it, or the same offset.
func lineBreak(s string, at int) int {
	end := at
	for _, mark := range [...]string{"\\r", "\r", "\\n", "\n"} {
		if strings.HasPrefix(s[end:], mark) {
			end += len(mark)
		}
	}
	if end == at {
		return at
	}
	for end < len(s) && end < at+64 && isBlank(s[end]) {
		end++
	}
	return end
}

// isText reports whether decoded bytes are text.
func isText(s string) bool {
	if !utf8.ValidString(s[:len(s)&^3]) && !utf8.ValidString(s) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' })
}
