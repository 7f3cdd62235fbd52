// Package naming determines from the name of a field, variable or flag whether
// its value is a secret.
package naming

import "strings"

// A Class is the class of a name.
type Class uint8

const (
	ClassOther    Class = iota // not about secrets.
	ClassSetting               // it names or configures a secret, as secretName and tokenTTL do.
	ClassLoose                 // a word of it is about secrets, but not the last one.
	ClassSecret                // its value is a secret.
	ClassPassword              // its value is a secret, and the name does not occur in prose.
)

// IsSecret reports whether the value is a secret.
func (c Class) IsSecret() bool { return c >= ClassLoose }

// MaxLength is the number of bytes of a name that are used, from its end.
const MaxLength = 96

// Of returns the class of a name. Only the end of a long name counts.
func Of(name string) Class {
	if len(name) > MaxLength {
		name = name[len(name)-MaxLength:]
	}
	var buffer [16]string
	words := wordsOf(name, buffer[:0])
	if len(words) == 0 {
		return ClassOther
	}
	last := words[len(words)-1]
	before := ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	if len(words) > 1 && (settingWords[last] || words[0] == "existing") {
		return ClassSetting
	}
	if c := ofWord(last); c != ClassOther {
		return c
	}
	if last == "key" && keyWords[before] || joinedNames[before+last] {
		return ClassSecret
	}
	for i, w := range words[:len(words)-1] {
		switch {
		case ofWord(w) >= ClassSecret && !strings.HasPrefix(w, "auth") && w != "sig" && w != "signature" && w != "pass":
			return ClassLoose
		case w == "key" && i > 0 && keyWords[words[i-1]]:
			return ClassLoose
		}
	}
	return ClassOther
}

// ofWord returns the class of one lower-case word.
func ofWord(w string) Class {
	if c, known := secretWords[w]; known {
		return c
	}
	for _, s := range [...]struct {
		end   string
		class Class
	}{
		{"password", ClassPassword}, {"passwd", ClassPassword}, {"passphrase", ClassPassword}, {"passcode", ClassPassword}, {"pwd", ClassPassword},
		{"apikey", ClassSecret}, {"accesskey", ClassSecret}, {"secretkey", ClassSecret}, {"privatekey", ClassSecret}, {"accountkey", ClassSecret},
		{"sharedkey", ClassSecret}, {"signingkey", ClassSecret}, {"encryptionkey", ClassSecret}, {"masterkey", ClassSecret}, {"authkey", ClassSecret},
		{"token", ClassSecret}, {"secret", ClassSecret}, {"credential", ClassSecret}, {"pass", ClassSecret},
	} {
		if strings.HasSuffix(w, s.end) {
			return s.class
		}
	}
	return ClassOther
}

// IsSetting reports whether a word names or configures a secret.
func IsSetting(word string) bool { return settingWords[word] }

// IsKeyWord reports whether the word before "key" makes its value a secret.
func IsKeyWord(word string) bool { return keyWords[word] }

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// wordsOf appends the words of a name in lower case and singular. Words are
// separated by characters other than letters and digits, or by camelCase.
// Digits at the end of a word are removed.
func wordsOf(name string, words []string) []string {
	for i := 0; i < len(name); {
		if !isLetter(name[i]) {
			i++
			continue
		}
		start := i
		for i++; i < len(name) && (isLetter(name[i]) || isDigit(name[i])); i++ {
			if !isUpper(name[i]) {
				continue
			}
			lowerBefore := !isUpper(name[i-1])
			lowerAfter := i+1 < len(name) && isLetter(name[i+1]) && !isUpper(name[i+1]) && !(name[i+1] == 's' && (i+2 == len(name) || !isLetter(name[i+2])))
			if lowerBefore || lowerAfter {
				break
			}
		}
		w := strings.ToLower(strings.TrimRight(name[start:i], "0123456789"))
		if w == "credentials" || len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && w != "creds" {
			if single := strings.TrimSuffix(w, "s"); ofWord(single) != ClassOther || single == "key" {
				w = single
			}
		}
		words = append(words, w)
	}
	return words
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
