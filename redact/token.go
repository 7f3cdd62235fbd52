package redact

import (
	"encoding/base64"
	"strings"
)

// formatsByByte maps the first byte of a format to indexes of formats.
var formatsByByte = func() (all [256][]int) {
	for i, f := range formats {
		all[f.prefix[0]] = append(all[f.prefix[0]], i)
	}
	return all
}()

// runs finds secrets by their form: tokens with a known prefix, JSON Web
// Tokens, and keys and tokens in base64.
func (sc *scanner) runs() {
	s := sc.s
	aws := strings.Contains(s, "AKIA") || strings.Contains(s, "ASIA") || strings.Contains(s, "aws_secret") || strings.Contains(s, "AWS_SECRET")
	for i := 0; i < len(s); {
		sc.steps++
		if !isLetter(s[i]) && !isDigit(s[i]) {
			i++
			continue
		}
		if end, kind := sc.format(i); end > i {
			sc.add(i, end, kind)
			i = end
			continue
		}
		start := i
		for i < len(s) && isBase64(s[i]) {
			i++
			sc.steps++
			// A token may begin after a dash or a similar character.
			if i < len(s) && !isLetter(s[i-1]) && !isDigit(s[i-1]) && len(formatsByByte[s[i]]) > 0 {
				if end, kind := sc.format(i); end > i {
					sc.add(i, end, kind)
					i = end
				}
			}
		}
		end := i
		for end < len(s) && s[end] == '=' && end < i+2 {
			end++
		}
		sc.encoded(start, end, aws)
		sc.encodedText(start, end)
	}
}

func isBase64(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '+' || c == '/' || c == '-' || c == '_'
}

// format returns the end of the token with a known prefix at an offset.
func (sc *scanner) format(at int) (end int, kind string) {
	s := sc.s
	if strings.HasPrefix(s[at:], "eyJ") {
		return sc.webToken(at), aToken
	}
	for _, n := range formatsByByte[s[at]] {
		f := &formats[n]
		if !strings.HasPrefix(s[at:], f.prefix) {
			continue
		}
		end := at + len(f.prefix)
		if f.prefix == "sk-" && !startsRandom(s[end:]) {
			continue // an ordinary word that begins the same way
		}
		for end < len(s) && (isWord(s[end]) || strings.IndexByte(f.more, s[end]) >= 0) {
			end++
		}
		sc.steps += end - at
		long := end - at - len(f.prefix)
		if long >= f.least {
			return end, f.kind
		}
		if end >= sc.cut && sc.cut < len(s) {
			return sc.cut, f.kind
		}
	}
	return 0, ""
}

// startsRandom reports whether the first word of a text looks random.
func startsRandom(s string) bool {
	const enough = 48
	end := 0
	for end < len(s) && end < enough && isWord(s[end]) {
		end++
	}
	return looksRandom(s[:end])
}

// webToken returns the end of the JSON Web Token at an offset: two encoded
// objects with a dot between. Without the dot it counts if it was cut, or is
// long.
func (sc *scanner) webToken(at int) int {
	s := sc.s
	end, dots := at, 0
	for end < len(s) && (isWord(s[end]) || s[end] == '.' && end > at) {
		if s[end] == '.' {
			dots++
		}
		end++
	}
	sc.steps += end - at
	for end > at && s[end-1] == '.' {
		end--
	}
	switch {
	case end >= sc.cut && sc.cut < len(s):
		return sc.cut
	case dots > 0 && end-at >= 20, end-at >= 60:
		return end
	}
	return 0
}

// encoded adds a run of base64 if it is a private key or a token. aws is true
// if the text may contain a secret key of AWS.
func (sc *scanner) encoded(start, end int, aws bool) {
	run := sc.s[start:end]
	const line = 64 // length of a line of a key
	switch {
	case len(run) < 40:
	case strings.HasPrefix(run, "LS0tLS1CRUdJTi") && strings.Contains(decodedStart(run, 96), "PRIVATE KEY"),
		strings.HasPrefix(run, "M") && isKeyInDER(decodedStart(run, 32)):
		sc.add(start, end, aPrivateKey)
	case strings.HasPrefix(run, "ZXlK"):
		sc.add(start, end, aToken)
	case len(run) == 40 && aws && hasMixedCharacters(run):
		sc.add(start, end, aKey)
	case len(run) == line && strings.ContainsAny(run, "+/") && !strings.ContainsAny(run, "-_") && hasMixedCharacters(run):
		sc.add(start, end, aPrivateKey)
	}
	if len(run) > 40 && aws && strings.HasPrefix(run, "/") {
		sc.add(start, end, aKey)
	}
}

// decodedStart decodes the beginning of a run of base64.
func decodedStart(run string, n int) string {
	n = min(n, len(run)) &^ 3
	text, err := base64.StdEncoding.DecodeString(run[:n])
	if err != nil {
		text, _ = base64.RawURLEncoding.DecodeString(strings.TrimRight(run[:n], "="))
	}
	return string(text)
}

// isKeyInDER reports whether a text begins like an encoded private key. Such a key
// is a sequence of the version, and then a sequence or a long number.
func isKeyInDER(der string) bool {
	if len(der) < 12 || der[0] != 0x30 {
		return false
	}
	at := 2
	if der[1] > 0x80 {
		at += int(der[1] & 0x7f)
	}
	if at > 4 || der[at] != 2 || der[at+1] != 1 || der[at+2] > 1 {
		return false
	}
	switch der[at+3] {
	case 0x30: // PKCS#8: the algorithm follows
		return true
	case 0x02: // RSA: a long number
		return der[at+4] >= 0x40
	case 0x04: // of an elliptic curve
		return true
	}
	return false
}

// hasMixedCharacters reports whether a text has upper-case letters, lower-case letters and
// digits, like random texts.
func hasMixedCharacters(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz") && strings.ContainsAny(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// privateKeys finds private keys between their lines BEGIN and END, or up to
// the end of the text. It also finds a key before a line END without a
// beginning.
func (sc *scanner) privateKeys() {
	const begin, end, dashes = "-----BEGIN ", "-----END ", "-----"
	s := sc.s
	for at := 0; at < len(s); {
		i := strings.Index(s[at:], begin)
		j := strings.Index(s[at:], end)
		if i < 0 && j < 0 {
			return
		}
		if i < 0 || j >= 0 && j < i {
			// The beginning is missing.
			stop := at + j
			if isPrivateTitle(s[stop+len(end):]) {
				from := stop
				for from > at && (isBase64(s[from-1]) || isSpace(s[from-1]) || s[from-1] == '=' || s[from-1] == '\\' || s[from-1] == '"' || s[from-1] == ',') {
					from--
				}
				sc.add(from, stop, aPrivateKey)
			}
			at = stop + len(end)
			sc.steps += j + len(end)
			continue
		}
		start := at + i + len(begin)
		sc.steps += i + len(begin)
		if !isPrivateTitle(s[start:]) {
			at = start
			continue
		}
		body := start + strings.Index(s[start:], "KEY") + len("KEY")
		if k := strings.Index(s[body:min(len(s), body+16)], dashes); k >= 0 {
			body += k + len(dashes)
		}
		stop := len(s)
		if k := strings.Index(s[body:], end); k >= 0 {
			stop = body + k
		}
		sc.steps += stop - start
		sc.add(body, stop, aPrivateKey)
		at = stop + 1
	}
}

// isPrivateTitle reports whether the title of a PEM block is that of a private
// key.
func isPrivateTitle(s string) bool {
	title, _, _ := strings.Cut(s[:min(len(s), 64)], "-----")
	return strings.Contains(title, "PRIVATE KEY")
}
