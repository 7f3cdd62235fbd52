package word

import "strings"

// State returns the polarity of a state: the highest polarity of its words. A negated text such
// as "not ready" is Progressing if the rest is Ready, and Ready if the rest is Failing.
func State(text string) Polarity {
	if p := dominant(text, Progressing); p != Ready || !runsSomething(text) {
		return p
	}
	return Progressing
}

// Reason returns the polarity of a condition's reason: like State, except that a gerund counts
// only as the first or the last word. In the middle it names a thing.
func Reason(text string) Polarity {
	p := dominant(text, None)
	if !mayHaveGerund(text) {
		return p
	}
	r := reader{text: text}
	first := senseOf(r.next())
	last := first
	for word := r.next(); len(word) > 0; word = r.next() {
		last = senseOf(word)
	}
	if first.class == gerund || last.class == gerund {
		p = max(p, Progressing)
	}
	return p
}

// ConditionType returns the role of a condition of the type: that of the last of
// its words that has one.
func ConditionType(text string) Role {
	last := RoleNone
	eachSense(text, func(s sense, negated bool) {
		switch {
		case s.class == existence && (last == RoleNegative || last == RoleNeutral):
			if negated { // ErrorsNotFound
				last = RolePositive
			}
		case s.class == gerund && !negated, s.class == position, s.class == request:
		default:
			last = s.role(negated)
		}
	})
	return last
}

// EndsInGerund reports whether the last known word is an unknown word ending in -ing. A
// condition such as ContinuousArchiving may be about lasting work or about work that ends.
func EndsInGerund(text string) bool {
	if !mayHaveGerund(text) {
		return false
	}
	last := plain
	eachSense(text, func(s sense, _ bool) { last = s.class })
	return last == gerund
}

// mayHaveGerund reports whether a text contains "ing", which is cheaper than to look at its words.
func mayHaveGerund(text string) bool {
	for i := 2; i < len(text); i++ {
		if lower(text[i]) == 'g' && lower(text[i-1]) == 'n' && lower(text[i-2]) == 'i' {
			return true
		}
	}
	return false
}

// dominant returns the highest polarity of the words as a state, where gerunds is
// that of words ending in -ing.
func dominant(text string, gerunds Polarity) Polarity {
	highest := None
	eachSense(text, func(s sense, negated bool) { highest = max(highest, s.state(negated, gerunds)) })
	return highest
}

// runsSomething reports whether a text means that the object runs something ("Running tests"),
// and not that it runs ("Running on two nodes").
func runsSomething(text string) bool {
	const running = "running"
	if len(text) <= len(running) || !Is(text[:len(running)], running) {
		return false
	}
	r := reader{text: text}
	if string(r.next()) != running || r.at < len(text) && text[r.at] != ' ' && text[r.at] != '_' && !startsWord(text, r.at) {
		return false
	}
	what := r.next()
	return len(what) > 3 && senseOf(what) == sense{} && !afterRunning[string(what)] && string(what[len(what)-2:]) != "ly"
}

// eachSense calls visit with the sense of each known word, and whether a word before it negates
// it. For a set phrase it calls visit once.
func eachSense(text string, visit func(s sense, negated bool)) {
	if text != "" && len(text) <= maxPhraseWords && phraseStarts[lower(text[0])] {
		var room [maxPhraseWords]byte
		if p, ok := phrases[string(squeezed(room[:0], text))]; ok {
			visit(sense{polarity: p}, false)
			return
		}
	}
	negated, afterGerund, afterLimit, prefix := false, false, false, ""
	r := reader{text: text}
	for word, first := r.next(), true; len(word) > 0; word, first = r.next(), false {
		s := senseOf(word)
		if first && string(word) == "0" { // 0 errors, 0/3 ready
			s = sense{class: negation}
		}
		if afterGerund && (string(word) == "up" || string(word) == "down") { // neither scaling up nor scaling down
			s = sense{}
		}
		if afterLimit && string(word) == "reached" { // a goal is reached, a limit is hit
			s = sense{polarity: Failing}
		}
		if prefix != "" { // Over Allocated, de-authorized
			var room [32]byte
			if turned := opposite(append(append(room[:0], prefix...), word...)); turned != (sense{}) {
				s = turned
			}
		}
		prefix = separatePrefix(word)
		afterGerund, afterLimit = strings.HasSuffix(string(word), "ing"), string(word) == "limit" || string(word) == "quota"
		if negated && (string(word) == "match" || string(word) == "matching") { // NoMatchingNode
			s, negated = sense{polarity: Failing}, false
		}
		switch {
		case s == sense{}:
		case s.class == negation:
			negated = true
		default:
			visit(s, negated)
			negated = false
		}
	}
}

// senseOf returns the sense of a lower-case word: from the vocabulary, as a gerund, or as the
// opposite of a word in the vocabulary. Other suffixes mean nothing: "damaged" and "repaired"
// both end in -ed.
func senseOf(word []byte) sense {
	if len(word) == 0 {
		return sense{}
	}
	if lengths[word[0]]&(1<<len(word)) != 0 {
		if s, ok := vocabulary[string(word)]; ok {
			return s
		}
	}
	if n := len(word); n > 5 && string(word[n-3:]) == "ing" && !nouns[string(word)] {
		return sense{class: gerund}
	}
	return opposite(word)
}

// negativePrefixes reverse the meaning of a word.
var negativePrefixes = []string{"un", "not", "non", "in", "im", "il", "ir", "dis", "mis", "de", "over", "under"}

// prefixStarts holds the first letters of negativePrefixes, and longestPrefix the length of the
// longest.
var prefixStarts = func() (starts [256]bool) {
	for _, p := range negativePrefixes {
		starts[p[0]] = true
	}
	return starts
}()

const longestPrefix = 5

// opposite returns the sense of a word that consists of one of negativePrefixes and a word of
// the vocabulary: unbalanced, irreplaceable, miscalculated. Only "un" makes a negative word
// positive: undamaged.
func opposite(word []byte) sense {
	const shortest = 4 // the length of the rest
	if !prefixStarts[word[0]] {
		return sense{}
	}
	for _, prefix := range negativePrefixes {
		if len(word) < len(prefix)+shortest || string(word[:len(prefix)]) != prefix {
			continue
		}
		s, ok := vocabulary[string(word[len(prefix):])]
		able, done := strings.HasSuffix(string(word), "ble"), strings.HasSuffix(string(word), "ed")
		switch {
		case !ok:
		case s.affirmative() && (able || prefix == "mis" || prefix == "over" || prefix == "under"): // impossible, or done badly
			return sense{polarity: Failing}
		case s.affirmative():
			return sense{polarity: Progressing}
		case s.polarity == Failing && prefix == "un" && done:
			return sense{polarity: Ready}
		}
	}
	return sense{}
}

// separatePrefix returns a word that is one of negativePrefixes on its own, as in
// "de-authorized" and "OverAllocated"; empty if it is not. "in" is a preposition there.
func separatePrefix(word []byte) string {
	if len(word) > longestPrefix || !prefixStarts[word[0]] {
		return ""
	}
	for _, prefix := range negativePrefixes {
		if string(word) == prefix && prefix != "in" && prefix != "not" && prefix != "non" {
			return prefix
		}
	}
	return ""
}
