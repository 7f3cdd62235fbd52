package audit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A volatileWord is a word of a message that changed without new information for a
// reader.
type volatileWord struct{ class, old, new string }

// volatileClasses lists the classes of words that differ from pass to pass. The
// first match counts.
var volatileClasses = []struct {
	name string
	form *regexp.Regexp
}{
	{"timestamp", regexp.MustCompile(`^(\d{4}-\d\d-\d\d([T_]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?)?|\d\d:\d\d:\d\d([.,]\d+)?|1\d{9}(\.\d+|\d{3}|\d{6}|\d{9})?|[+-]\d+\.\d{9})$`)},
	{"duration", regexp.MustCompile(`^-?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d))+$`)},
	{"uuid", regexp.MustCompile(`^(req-)?[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)},
	{"pointer", regexp.MustCompile(`^0x[0-9a-f]{6,16}$`)},
	{"request id", regexp.MustCompile(`^(req-)?[0-9a-fA-F]{16,64}$`)},
	{"ip:port", regexp.MustCompile(`^(\d+\.\d+\.\d+\.\d+|\[[0-9a-fA-F:]+\]|localhost):\d+(->\S+)?$`)},
}

// countingWords are words next to a number that counts the controller's own
// actions. Any other number may be new information.
var countingWords = map[string]bool{"attempt": true, "attempts": true, "attempted": true, "retry": true, "retries": true, "retried": true,
	"retrying": true, "try": true, "tries": true, "times": true, "failures": true, "errors": true, "iteration": true, "iterations": true,
	"reconcile": true, "reconciles": true, "reconciled": true, "count": true, "round": true, "pass": true, "poll": true, "polls": true}

// volatileWords returns the changed words of a message if all of them belong to a
// class. It returns nil if the change may be new information.
func volatileWords(c Change) []volatileWord {
	was, ok1 := c.Old.(string)
	is, ok2 := c.New.(string)
	if !ok1 || !ok2 || len(was) > maxVolatileMessage || len(is) > maxVolatileMessage {
		return nil
	}
	old, now := wordsIn(was), wordsIn(is)
	if len(old) != len(now) || len(old) == 0 {
		return nil
	}
	if sorted := slices.Sorted(slices.Values(old)); slices.Equal(sorted, slices.Sorted(slices.Values(now))) && !slices.Equal(old, now) {
		return []volatileWord{{"permutation", was, is}}
	}
	var all []volatileWord
	for i := range now {
		if old[i] == now[i] {
			continue
		}
		class := volatileClass(old, now, i)
		if class == "" {
			return nil
		}
		all = append(all, volatileWord{class, old[i], now[i]})
	}
	return all
}

// maxVolatileMessage bounds the length of messages that are compared word by word, in
// bytes.
const maxVolatileMessage = 16 << 10

// wordsIn splits a message at spaces, brackets, quotes and punctuation.
func wordsIn(s string) []string {
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n\r,;\"'`(){}=<|&?", r) })
	kept := words[:0]
	for _, w := range words {
		if w = strings.Trim(w, ".:!#"); w != "" {
			kept = append(kept, w)
		}
	}
	return kept
}

// volatileClass returns the class of the word at i of both messages, or an empty
// string.
func volatileClass(old, now []string, i int) string {
	for _, c := range volatileClasses {
		if c.form.MatchString(old[i]) && c.form.MatchString(now[i]) {
			return c.name
		}
	}
	n, err1 := strconv.Atoi(old[i])
	m, err2 := strconv.Atoi(now[i])
	if err1 != nil || err2 != nil || m <= n {
		return ""
	}
	for _, at := range []int{i - 2, i - 1, i + 1, i + 2} {
		if at >= 0 && at < len(now) && countingWords[strings.ToLower(now[at])] {
			return "counter"
		}
	}
	return ""
}
