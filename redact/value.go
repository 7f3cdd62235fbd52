package redact

import (
	"strings"

	"kstatus.dev/redact/internal/naming"
)

// assignments finds the values of names: password=…, "token": "…",
// Authorization: ….
func (sc *scanner) assignments() {
	s := sc.s
	for i := 0; i < len(s); i++ {
		sc.steps++
		if s[i] != '=' && s[i] != ':' {
			continue
		}
		if end := sc.assignment(i); end > i {
			i = end - 1
		}
	}
}

// An assignment is a name, a sign, and the start of a value.
type assignment struct {
	class     naming.Class
	name      string
	quoted    bool // the name is in quotes.
	lineStart bool // the name is the first word of its line.
	blank     bool // there are blanks before the value.
	equals    bool // the sign is not a colon.
	value     int  // the start of the value, after quotes.
	quote     byte // of the value; zero if it has none.
}

// assignment checks the sign at an offset. It returns the end of a secret
// value, or zero.
func (sc *scanner) assignment(at int) (end int) {
	s := sc.s
	if at > 0 && strings.IndexByte("!<>:", s[at-1]) >= 0 {
		return 0
	}
	name, start, quoted := nameBefore(s, at)
	sc.steps += at - start
	if name == "" {
		return 0
	}
	a := assignment{name: name, quoted: quoted, equals: s[at] == '='}
	switch {
	case isSecretHeader(name):
		return sc.headerValue(at)
	case name == "value" || name == "Value":
		if !sc.namedBefore(start) && !sc.namedAfter(at+1) {
			return 0
		}
		a.class = naming.ClassPassword
	case a.equals && isVaultSecret(name):
		a.class = naming.ClassSecret
	case a.equals && queryNames[strings.ToLower(name)] && start > 0 && strings.IndexByte("?&;#", s[start-1]) >= 0:
		a.class = naming.ClassPassword
	default:
		if a.class = naming.Of(name); a.class == naming.ClassOther {
			a.class = classWithWordBefore(s, start, name)
		}
	}
	if !a.class.IsSecret() {
		return 0
	}
	a.lineStart = startsLine(s, start)
	a.value = at + 1
	for a.value < len(s) && (s[a.value] == '=' || s[a.value] == '>') {
		a.equals, a.value = true, a.value+1
	}
	from := a.value
	for a.value < len(s) && a.value < from+16 && isBlank(s[a.value]) {
		a.value++
	}
	a.blank = a.value > from
	a.value, a.quote = openQuote(s, a.value)
	if a.value >= len(s) {
		return 0
	}
	if a.quote == 0 && !a.equals && a.lineStart && strings.IndexByte("|>", s[a.value]) >= 0 && !strings.HasPrefix(s[a.value:], placeholderStart) {
		return sc.block(start, a.value)
	}
	end = sc.valueEnd(a, a.value+valueWindow)
	if sc.blankList(a) || !sc.isSecretValue(a, end) {
		return 0
	}
	end = sc.valueEnd(a, len(s))
	kind := aSecret
	switch lower := strings.ToLower(name); {
	case a.class == naming.ClassPassword && name != "value" && name != "Value" || strings.HasSuffix(lower, "pass"):
		kind = aPassword
	case strings.HasSuffix(lower, "token"), strings.HasSuffix(lower, "jwt"):
		kind = aToken
	case strings.HasSuffix(lower, "key"):
		kind = aKey
	}
	sc.add(a.value, end, kind)
	return end
}

// nameBefore returns the name that ends before an offset, without quotes and
// blanks.
func nameBefore(s string, at int) (name string, start int, quoted bool) {
	end := at
	for end > 0 && at-end < 2 && isBlank(s[end-1]) {
		end--
	}
	for n := 0; end > 0 && n < 10 && strings.IndexByte("\"'`\\]", s[end-1]) >= 0; n++ {
		quoted = quoted || s[end-1] != ']'
		end--
	}
	start = end
	for start > 0 && end-start < naming.MaxLength && (isWord(s[start-1]) || s[start-1] == '.' || s[start-1] == '$') {
		start--
	}
	return strings.Trim(s[start:end], ".$-"), start, quoted
}

// classWithWordBefore returns the class of a name of two words, such as "API key".
func classWithWordBefore(s string, start int, name string) naming.Class {
	lower := strings.ToLower(name)
	if lower != "key" && lower != "keys" && lower != "id" || start < 3 || s[start-1] != ' ' {
		return naming.ClassOther
	}
	from := start - 1
	for from > 0 && start-from < 24 && isLetter(s[from-1]) {
		from--
	}
	if naming.IsKeyWord(strings.ToLower(s[from:start-1])) && lower != "id" {
		return naming.ClassSecret
	}
	return naming.ClassOther
}

// startsLine reports whether only blanks, dashes and quotes precede an offset
// in its line.
func startsLine(s string, at int) bool {
	for n := 0; at > 0 && n < 200; n++ {
		at--
		switch c := s[at]; {
		case c == '\n':
			return true
		case isBlank(c), c == '-', c == '"', c == '\'':
		default:
			return false
		}
	}
	return at == 0
}

// openQuote skips the opening quote at an offset.
func openQuote(s string, at int) (value int, quote byte) {
	i := at
	for i < len(s) && i < at+8 && s[i] == '\\' {
		i++
	}
	if i < len(s) && strings.IndexByte("\"'`", s[i]) >= 0 {
		return i + 1, s[i]
	}
	return at, 0
}

// valueWindow is the number of bytes of a value that are scanned. Without a limit, a
// text with many names would be scanned to its end from each of them.
const valueWindow = 256

// valueEnd returns the end of a value, at most limit.
func (sc *scanner) valueEnd(a assignment, limit int) int {
	s := sc.s
	limit = min(limit, len(s))
	if a.quote != 0 {
		end := quoteEnd(s, a.value, limit, a.quote)
		sc.steps += end - a.value
		return end
	}
	if end := placeholderEnd(s, a.value); end > a.value {
		return end
	}
	i := a.value
	for ; i < limit; i++ {
		sc.steps++
		if strings.HasPrefix(s[i:], "</") || endsValue(s, i) {
			break
		}
	}
	if i == limit && limit < len(s) {
		return limit
	}
	if i >= sc.cut {
		return len(s) // the rest of it was cut
	}
	end := i
	for end > a.value && strings.IndexByte(".,;:)]}>", s[end-1]) >= 0 {
		end--
	}
	if end == a.value {
		end = i
	}
	return end
}

// endsValue reports whether an unquoted value ends at an offset: at a space or
// a separator.
func endsValue(s string, i int) bool {
	c := s[i]
	switch {
	case isSpace(c):
		return true
	case c == '\\':
		return i+1 < len(s) && strings.IndexByte(`"'nrt\`, s[i+1]) >= 0
	case c == '"' || c == '\'' || c == '`':
		return i+1 == len(s) || strings.IndexByte(" \t\r\n,;:)}]&\\|\"'", s[i+1]) >= 0
	case c == ',' || c == ';' || c == '&':
		return startsNextName(s, i+1)
	case c == '}' || c == ')' || c == ']':
		return i+1 < len(s) && strings.IndexByte(" \t\r\n,;}])\"'\\", s[i+1]) >= 0
	case c == '|':
		return i+1 < len(s) && isSpace(s[i+1])
	}
	return false
}

// startsNextName reports whether another name, a quote, a space or the end of
// the text is at an offset.
func startsNextName(s string, i int) bool {
	if i >= len(s) || isSpace(s[i]) || strings.IndexByte("\"'\\{[", s[i]) >= 0 {
		return true
	}
	start := i
	for i < len(s) && i < start+48 && (isWord(s[i]) || s[i] == '.') {
		i++
	}
	return i > start && i < len(s) && strings.IndexByte("=:", s[i]) >= 0
}

// quoteEnd returns the end of the quotation that begins before an offset, at
// most limit.
func quoteEnd(s string, i, limit int, quote byte) int {
	// In a quoted text, all quotes have as many backslashes as the first.
	slashes := 0
	for n := i - 2; n >= 0 && s[n] == '\\'; n-- {
		slashes++
	}
	for run := 0; i < limit; i++ {
		switch s[i] {
		case '\\':
			run++
			continue
		case quote:
			if run <= slashes && (slashes == 0 || run == slashes) {
				return i - run
			}
		}
		run = 0
	}
	return limit
}

// blankList reports whether a value is the start of a list or a map, which
// contain names or are scanned separately.
func (sc *scanner) blankList(a assignment) bool {
	return a.quote == 0 && strings.IndexByte("{[", sc.s[a.value]) >= 0 && a.class != naming.ClassPassword
}

// isSecretValue reports whether a value is a secret, and not a word about a secret.
func (sc *scanner) isSecretValue(a assignment, end int) bool {
	s := sc.s
	value := s[a.value:min(end, a.value+256)]
	if isEmptyOrPlaceholder(value) {
		return false
	}
	lower := strings.ToLower(a.name)
	if (lower == "secret" || lower == "secrets") && isObjectName(value) {
		return false // the name of a Secret
	}
	wholeLine := end == len(s) || s[end] == '\n' || s[end] == '\r'
	switch {
	case a.quote != 0:
		return a.equals || a.quoted || a.class == naming.ClassPassword || a.lineStart && strings.Contains(s, "\n") || looksRandom(value)
	case a.equals && !a.blank, a.quoted && !a.blank:
		return a.class == naming.ClassPassword || looksRandom(value) || !isProse(value)
	case a.equals:
		return a.class == naming.ClassPassword || looksRandom(value) || a.lineStart && wholeLine
	case isProse(value):
		return false
	case !a.blank:
		return a.class == naming.ClassPassword || looksRandom(value) || a.class == naming.ClassSecret && !isObjectName(value)
	case end < len(s) && s[end] == ':':
		return false // as in "token: x509: ..."
	case a.lineStart && wholeLine && strings.Contains(s, "\n"):
		return true
	}
	closed := wholeLine || strings.IndexByte(",;})]\"'.", s[end]) >= 0 || s[end] == '\\'
	if a.class == naming.ClassPassword {
		return closed || looksRandom(value)
	}
	return a.class == naming.ClassSecret && looksRandom(value)
}

// isEmptyOrPlaceholder reports whether a value is a placeholder or empty.
func isEmptyOrPlaceholder(v string) bool {
	v = strings.TrimRight(v, ".,;:)")
	if len(v) == 0 || strings.HasPrefix(v, placeholderStart) || strings.Count(v, v[:1]) == len(v) {
		return true
	}
	switch {
	case strings.HasPrefix(v, "$(") || strings.HasPrefix(v, "${") || strings.HasPrefix(v, "{{") || strings.HasPrefix(v, "$$("):
		return len(v) < 80 && strings.IndexByte(v, '=') < 0
	case v[0] == '%':
		return len(v) <= 3
	case v[0] == '$':
		return strings.Trim(v[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
	case v[0] == '(' || v[0] == '[' || v[0] == '<' || v[0] == '*':
		return hiddenWords[strings.ToLower(strings.Trim(v, "()[]<>*"))]
	}
	return hiddenWords[strings.ToLower(v)]
}

// isProse reports whether a value is a word of a sentence.
func isProse(v string) bool {
	v = strings.Trim(v, ".,;:!?()\"'")
	return proseWords[strings.ToLower(v)]
}

// looksRandom reports whether a value does not look like a word, a name or a
// number.
func looksRandom(v string) bool {
	const least = 6
	if len(v) < least {
		return false
	}
	digits, letters, special, upper, lower, dashes := 0, 0, 0, 0, 0, 0
	for i := range len(v) {
		switch c := v[i]; {
		case isDigit(c):
			digits++
		case isUpper(c):
			upper++
			letters++
		case isLetter(c):
			lower++
			letters++
		case c == '-' || c == '.' || c == '_' || c == ':' || c == '/' || c == ',' || c == '\'' || c == '(' || c == ')':
			dashes++
		default:
			special++
		}
	}
	switch {
	case digits > 0 && letters > 0:
		return true
	case special > 0 && letters+digits > 0 && v[0] != '%':
		return true
	case digits == 0 && upper > 2 && lower > 2 && dashes == 0:
		return !isCamelCase(v)
	}
	return false
}

// isCamelCase reports whether a word is in CamelCase, such as the reason of a
// condition.
func isCamelCase(v string) bool {
	words := 0
	for i := 0; i < len(v); {
		start := i
		for i < len(v) && isUpper(v[i]) {
			i++
		}
		for i < len(v) && !isUpper(v[i]) {
			i++
		}
		if words++; i-start < 2 {
			return false
		}
	}
	return len(v) >= 3*words
}

// isObjectName reports whether a text is the name of an object with its
// namespace.
func isObjectName(v string) bool {
	v = strings.Trim(v, `"'`)
	slash := strings.IndexByte(v, '/')
	if slash <= 0 || slash == len(v)-1 || strings.Count(v, "/") > 1 || len(v) > 120 {
		return false
	}
	for i := range len(v) {
		if c := v[i]; c != '/' && c != '-' && c != '.' && !isDigit(c) && (!isLetter(c) || isUpper(c)) {
			return false
		}
	}
	return true
}

// block finds the lines of a YAML block that belong to a name.
func (sc *scanner) block(name, at int) int {
	s := sc.s
	line := strings.LastIndexByte(s[:name], '\n') + 1
	indent := name - line
	end := strings.IndexByte(s[at:], '\n')
	if end < 0 || end > 4 {
		return 0
	}
	from := at + end + 1
	to := from
	for to < len(s) {
		next := strings.IndexByte(s[to:], '\n')
		if next < 0 {
			next = len(s) - to - 1
		}
		text := s[to : to+next+1]
		if blanks := len(text) - len(strings.TrimLeft(text, " ")); strings.TrimSpace(text) != "" && blanks <= indent {
			break
		}
		to += next + 1
	}
	for to > from && isSpace(s[to-1]) {
		to--
	}
	sc.steps += to - from
	for from < to && isBlank(s[from]) {
		from++
	}
	sc.add(from, to, aSecret)
	return to
}

// isSecretHeader reports whether the whole value of a header with this name is a
// secret.
func isSecretHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "cookie", "set-cookie":
		return true
	}
	return false
}

// headerValue finds the value of a header: the text after the authentication scheme,
// up to the end of the line or of the quotation.
func (sc *scanner) headerValue(at int) int {
	s := sc.s
	from, quote := at+1, byte(0)
	for from < len(s) && (isBlank(s[from]) || s[from] == '[') {
		from++
	}
	from, quote = openQuote(s, from)
	word := from
	for word < len(s) && word < from+32 && isWord(s[word]) {
		word++
	}
	scheme := word < len(s) && isBlank(s[word]) && schemes[strings.ToLower(s[from:word])]
	if scheme {
		for from = word; from < len(s) && isBlank(s[from]); {
			from++
		}
	}
	if from >= len(s) {
		return 0
	}
	if end := placeholderEnd(s, from); end > from {
		return end
	}
	end := sc.headerEnd(from, from+valueWindow, quote)
	value := s[from:end]
	first, _, _ := strings.Cut(value, " ")
	if isEmptyOrPlaceholder(value) || isProse(first) || !scheme && quote == 0 && !looksRandom(first) && !strings.Contains(value, "=") {
		return 0
	}
	if scheme && quote == 0 && !isUnlikeWord(value) {
		return 0
	}
	end = sc.headerEnd(from, len(s), quote)
	sc.add(from, end, aToken)
	return end
}

// headerEnd returns the end of a header's value, at most limit. The value is a
// word, or several that are separated by commas or semicolons.
func (sc *scanner) headerEnd(from, limit int, quote byte) int {
	s := sc.s
	limit = min(limit, len(s))
	if quote != 0 {
		end := quoteEnd(s, from, limit, quote)
		sc.steps += end - from
		return end
	}
	end := from
	for end < limit && strings.IndexByte("\n\r\"'`]\\", s[end]) < 0 {
		sc.steps++
		if isBlank(s[end]) && end > from && s[end-1] != ';' && s[end-1] != ',' {
			break
		}
		end++
	}
	return end
}

// isVaultSecret reports whether a name is that of the secret of an AppRole of Vault, such as secret_id
// and VAULT_SECRET_ID. In fields, such a name is that of a Secret.
func isVaultSecret(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasSuffix(lower, "secret_id") || strings.HasSuffix(lower, "secret-id")
}

// isUnlikeWord reports whether a text is not a word of prose.
func isUnlikeWord(text string) bool {
	return strings.ContainsAny(text, "0123456789=ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}
