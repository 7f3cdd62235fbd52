package redact

import (
	"strings"

	"kstatus.dev/redact/internal/naming"
)

// words finds the values of flags and of authentication schemes: --password x,
// mysql -px, Bearer x.
func (sc *scanner) words() {
	s := sc.s
	var line commandLine
	for i := 0; i < len(s); {
		sc.steps++
		if isWordEnd(s[i]) {
			if s[i] == '\n' || s[i] == ';' || s[i] == '|' {
				line = commandLine{}
			}
			i++
			continue
		}
		start := i
		quote := byte(0)
		if s[i] == '"' || s[i] == '\'' || s[i] == '`' {
			quote = s[i]
			start++
		}
		i = start
		for i < len(s) && !isWordEnd(s[i]) && s[i] != '"' && s[i] != '\'' && s[i] != '`' {
			i++
			sc.steps++
		}
		if i < len(s) && (s[i] == ',' || s[i] == ']') {
			line.listed = true
		}
		if i == start {
			if quote == 0 {
				i++
			}
			continue
		}
		if from, kind := line.next(s[start:i]); kind != "" {
			to := i
			if quote == 0 {
				for to > start+from && strings.IndexByte(".)]}", s[to-1]) >= 0 {
					to--
				}
			}
			if end := placeholderEnd(s, start+from); end > start+from {
				i = max(i, end)
				continue
			}
			if isSpaced := quote != 0 && i < len(s) && s[i] == ' '; isSpaced {
				to = quoteEnd(s, start, len(s), quote)
				i = to
			}
			if i >= sc.cut {
				to = len(s)
			}
			sc.add(start+from, to, kind)
		}
	}
}

// isWordEnd reports whether a byte ends a word of a command line, or of a list
// of words.
func isWordEnd(c byte) bool { return isSpace(c) || c == ';' || c == '|' || c == ',' || c == '[' }

// A commandLine is the state of the scan of a command line.
type commandLine struct {
	command string // with known short flags; empty for others.
	anyTool bool   // it is certainly a command line, of any command.
	listed  bool   // its words are separate, as in a list.
	flag    string // the previous word, if it is a flag that needs a value.
	scheme  bool   // the previous word is an authentication scheme.
	sure    bool   // it is the value of a flag.
	opened  bool   // the previous word is a flag with the sign for a value.

	configures bool   // a word was config or configure.
	setting    string // the previous word is "set", or the name after it.
}

// next processes the next word. It returns the start of a secret in the word,
// and its kind. The kind is empty if there is no secret.
func (l *commandLine) next(word string) (from int, kind string) {
	flag, scheme, sure, opened := l.flag, l.scheme, l.sure, l.opened
	l.flag, l.scheme, l.sure, l.opened = "", false, false, false
	if l.set(word) {
		return 0, aSecret
	}
	switch {
	case scheme && sure && !isProse(word) && !isEmptyOrPlaceholder(word):
		return 0, aToken
	case scheme && len(word) >= 8 && isUnlikeWord(word) && !isEmptyOrPlaceholder(word):
		return 0, aToken
	case flag != "" && !strings.HasPrefix(word, "-"):
		if from, kind := l.valueOf(flag, word); kind != "" {
			return from, kind
		}
	}
	if most := len("bearer") + 4; len(word) >= len("basic") && len(word) <= most && (word[0]|0x20 == 'b' || word[0] == '\\') {
		if bare := strings.Trim(word, `"'\`); strings.EqualFold(bare, "bearer") || strings.EqualFold(bare, "basic") {
			l.scheme, l.sure = true, flag != "" || opened
			return 0, ""
		}
	}
	if len(word) < 2 || word[0] != '-' {
		if name := baseName(word); tools[name] != "" {
			l.command = name
		}
		return 0, ""
	}
	word = strings.TrimRight(word, `"'\`)
	name := strings.TrimLeft(word, "-")
	if eq := strings.IndexByte(name, '='); eq >= 0 {
		at := len(word) - len(name) + eq + 1
		if isUserFlag(name[:eq]) {
			if n := userSecret(word[at:]); n > 0 {
				return at + n, aPassword
			}
		}
		value := strings.Trim(word[at:], `"'\`)
		l.sure, l.opened = schemes[strings.ToLower(value)], value == ""
		l.scheme = l.sure
		return 0, "" // an assignment
	}
	l.flag = word
	if !strings.HasPrefix(word, "--") && len(word) > 2 {
		// This is a short flag with its value: -pPASSWORD.
		if strings.IndexByte(tools[l.command], word[1]) >= 0 && joinedFlagCommands[l.command] || l.command == "" && l.anyTool && word[1] == 'p' && looksRandom(word[2:]) {
			if !isEmptyOrPlaceholder(word[2:]) {
				l.flag = ""
				return 2, aPassword
			}
		}
		if strings.HasPrefix(word, "-u") {
			if n := userSecret(word[2:]); n > 0 {
				l.flag = ""
				return 2 + n, aPassword
			}
		}
	}
	return 0, ""
}

// set processes the next word of a command that sets a secret: aws configure set
// aws_secret_access_key VALUE. It reports whether the word is the value.
func (l *commandLine) set(word string) bool {
	name := l.setting
	l.setting = ""
	switch {
	case word == "config" || word == "configure":
		l.configures = true
	case word == "set":
		l.setting = word
	case name == "set" && naming.Of(word) >= naming.ClassSecret:
		l.setting = strings.Trim(word, `"'\`)
	case name != "" && name != "set":
		return !isEmptyOrPlaceholder(word) && !isProse(word) && (l.configures || isUnlikeWord(word))
	}
	return false
}

// valueOf returns the start of a secret in the value of a flag, and its kind.
func (l *commandLine) valueOf(flag, value string) (from int, kind string) {
	name := strings.TrimLeft(flag, "-")
	value = strings.TrimLeft(value, `\`)
	if scheme, rest, found := strings.Cut(value, " "); found && schemes[strings.ToLower(scheme)] && !isProse(rest) && !isEmptyOrPlaceholder(rest) {
		return len(scheme) + 1, aToken
	}
	switch {
	case isEmptyOrPlaceholder(value):
		return 0, ""
	case isUserFlag(name):
		if n := userSecret(value); n > 0 {
			return n, aPassword
		}
		return 0, ""
	case len(name) == 1:
		switch {
		case strings.Contains(tools[l.command], name) && l.command != "":
			return 0, aPassword
		case l.anyTool && l.command == "" && strings.Contains("paPw", name) && looksRandom(value) && !strings.ContainsAny(value, "/:."):
			return 0, aPassword
		}
		return 0, ""
	}
	switch c := naming.Of(name); {
	case c < naming.ClassSecret && !(l.anyTool && c == naming.ClassLoose), isProse(value) && !l.anyTool && !l.listed, isObjectName(value):
		return 0, ""
	case c == naming.ClassPassword:
		return 0, aPassword
	}
	return 0, aToken
}

// isUserFlag reports whether a flag takes a user with a password.
func isUserFlag(name string) bool {
	switch name {
	case "u", "U", "user", "basic", "proxy-user", "userpwd", "basic-auth", "http-user":
		return true
	}
	return false
}

// userSecret returns the start of the password in user:password, or zero.
func userSecret(value string) int {
	i := strings.IndexAny(value, ":%")
	if i <= 0 || i == len(value)-1 || strings.Contains(value, "://") || strings.Trim(value, "0123456789:") == "" || isEmptyOrPlaceholder(value[i+1:]) || value[i+1] == ':' {
		return 0
	}
	return i + 1
}

// baseName returns the name of a command without its directory.
func baseName(word string) string {
	if i := strings.LastIndexByte(word, '/'); i >= 0 {
		word = word[i+1:]
	}
	return strings.Trim(word, `"'\()`)
}
