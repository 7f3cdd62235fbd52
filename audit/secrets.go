package audit

import "strings"

// A secret is a part of a text that looks as if nobody should read it.
type secret struct {
	kind       string // such as "a password"
	start, end int
}

// secretIn returns the first part of a text from an offset on that looks like a
// secret; of an empty kind if there is none.
func secretIn(s string, from int) (first secret) {
	for _, find := range [...]func(string, int) secret{assigned, withPrefix, privateKey, webToken, inURL} {
		if found := find(s, from); found.kind != "" && (first.kind == "" || found.start < first.start) {
			first = found
		}
	}
	return first
}

// masked returns a text without what looks like a secret. Of a long text only the
// beginning is kept.
func masked(s string) string {
	s = s[:min(len(s), 8*longestEvidence)]
	if secretIn(s, 0).kind == "" {
		return s
	}
	var out strings.Builder
	for from := 0; ; {
		found := secretIn(s, from)
		if found.kind == "" {
			out.WriteString(s[from:])
			return out.String()
		}
		out.WriteString(s[from:found.start])
		out.WriteString("(" + found.kind + ")")
		from = found.end
	}
}

// secretWords are the ends of names whose values are secret, without dashes and
// underscores.
var secretWords = []struct{ end, kind string }{
	{"password", "a password"}, {"passwd", "a password"}, {"passphrase", "a password"}, {"pwd", "a password"},
	{"token", "a token"}, {"apikey", "a key"}, {"accesskey", "a key"}, {"secretkey", "a key"}, {"privatekey", "a key"},
	{"accountkey", "a key"}, {"clientsecret", "a secret"},
}

// assigned finds a value that is given to a name: password=…, "token": "…", Bearer ….
func assigned(s string, from int) secret {
	for i := from; i < len(s); i++ {
		kind := ""
		switch s[i] {
		case '=', ':':
			kind = nameBefore(s[from:i])
		case ' ':
			if endsWith(s[from:i], "bearer") {
				kind = "a token"
			}
		}
		if kind == "" {
			continue
		}
		start := i + 1
		for start < len(s) && start < i+4 && strings.IndexByte(` "'\=`, s[start]) >= 0 {
			start++
		}
		end := start
		for end < len(s) && strings.IndexByte(" \t\r\n\"'\\,;&)}", s[end]) < 0 {
			end++
		}
		if telling(s[start:end], s[i] == '=' && kind == "a password") {
			return secret{kind, start, end}
		}
	}
	return secret{}
}

// nameBefore returns the kind of secret that the name at the end of a text is for.
func nameBefore(s string) string {
	for n := len(s); n > 0 && strings.IndexByte(`"'\ `, s[n-1]) >= 0; n-- {
		s = s[:n-1]
	}
	for _, w := range secretWords {
		if endsWith(s, w.end) {
			return w.kind
		}
	}
	return ""
}

// endsWith reports whether a text ends with a word, in letters of either case,
// dashes and underscores aside.
func endsWith(s, word string) bool {
	for i := len(s) - 1; ; i-- {
		switch {
		case word == "":
			return true
		case i < 0:
			return false
		case s[i] == '_' || s[i] == '-':
		case s[i]|0x20 != word[len(word)-1]:
			return false
		default:
			word = word[:len(word)-1]
		}
	}
}

// telling reports whether a value is the secret itself rather than a word about
// it, a blank, or a name.
func telling(v string, surely bool) bool {
	if len(v) < 4 || strings.IndexByte("*<[({$%", v[0]) >= 0 || strings.Count(v, v[:1]) == len(v) {
		return false
	}
	lower := strings.ToLower(v)
	if strings.Contains(lower, "redacted") || strings.Contains(lower, "hidden") || strings.Contains(lower, "masked") {
		return false
	}
	digits, letters := 0, 0
	for i := range len(v) {
		switch {
		case isDigit(v[i]):
			digits++
		case isLetter(v[i]):
			letters++
		}
	}
	return surely || len(v) >= 8 && digits > 0 && letters > 0
}

// secretPrefixes begin what their issuers made to be found.
var secretPrefixes = []struct {
	prefix, kind string
	longer       int // by at least so many letters and digits
}{
	{"AKIA", "an access key", 16}, {"ASIA", "an access key", 16}, {"ghp_", "a token", 20}, {"gho_", "a token", 20}, {"ghs_", "a token", 20},
	{"github_pat_", "a token", 20}, {"glpat-", "a token", 16}, {"xoxb-", "a token", 16}, {"xoxp-", "a token", 16},
	{"sk_live_", "a key", 16}, {"AIza", "a key", 30},
}

func withPrefix(s string, from int) (first secret) {
	for _, p := range secretPrefixes {
		for at := from; ; {
			i := strings.Index(s[at:], p.prefix)
			if i < 0 {
				break
			}
			start := at + i
			end := wordEnd(s, start+len(p.prefix))
			if end-start-len(p.prefix) >= p.longer && (start == 0 || !isLetter(s[start-1]) && !isDigit(s[start-1])) {
				if first.kind == "" || start < first.start {
					first = secret{p.kind, start, end}
				}
				break
			}
			at = start + len(p.prefix)
		}
	}
	return first
}

func privateKey(s string, from int) secret {
	const begin, end = "-----BEGIN ", "-----END "
	for at := from; ; {
		i := strings.Index(s[at:], begin)
		if i < 0 {
			return secret{}
		}
		start := at + i
		title, _, _ := strings.Cut(s[start+len(begin):], "-----")
		if strings.HasSuffix(title, "PRIVATE KEY") {
			if j := strings.Index(s[start:], end); j > 0 {
				return secret{"a private key", start, min(len(s), start+j+len(end)+len(title)+len("-----"))}
			}
			return secret{"a private key", start, len(s)}
		}
		at = start + len(begin)
	}
}

// webToken finds a JSON Web Token: two encoded objects with a dot between.
func webToken(s string, from int) secret {
	for at := from; ; {
		i := strings.Index(s[at:], "eyJ")
		if i < 0 {
			return secret{}
		}
		start := at + i
		end := wordEnd(s, start)
		if strings.HasPrefix(s[end:], ".eyJ") && end-start > 12 {
			for end < len(s) && s[end] == '.' {
				end = wordEnd(s, end+1)
			}
			return secret{"a token", start, end}
		}
		at = max(end, start+3)
	}
}

// inURL finds the password of a URL's user.
func inURL(s string, from int) secret {
	for at := from; ; {
		i := strings.Index(s[at:], "://")
		if i < 0 {
			return secret{}
		}
		start := at + i + len("://")
		rest := s[start:]
		if stop := strings.IndexAny(rest, "/ \t\r\n\"'<>?#"); stop >= 0 {
			rest = rest[:stop]
		}
		user, host, is := strings.Cut(rest, "@")
		if strings.HasPrefix(host, "sha256:") || strings.HasPrefix(host, "sha512:") {
			is = false // image:tag@digest
		}
		if _, password, has := strings.Cut(user, ":"); is && has && telling(password, true) {
			return secret{"a password", start + len(user) - len(password), start + len(user)}
		}
		at = start
	}
}

// wordEnd returns where a run of letters, digits, underscores and dashes ends.
func wordEnd(s string, i int) int {
	for i < len(s) && (isLetter(s[i]) || isDigit(s[i]) || s[i] == '_' || s[i] == '-') {
		i++
	}
	return i
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
