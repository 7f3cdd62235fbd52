package status

import "strings"

// A phrase is a text of one or more words in any spelling: "NotReady",
// "HEALTH_OK", "Cluster in healthy state", "platform.example.com/pod-ready".
type phrase string

// state returns what a state word says: the strongest of what its words say.
// A phrase with a word that turns its meaning, as "not ready", is busy if the
// rest is good, and good if the rest is bad.
func (p phrase) state() meaning {
	if m := p.strongest(busy); m != good || !p.runsSomething() {
		return m
	}
	return busy
}

// runsSomething reports whether a phrase says that something is run, as Running
// tests, and not that it runs, as Running on two nodes.
func (p phrase) runsSomething() bool {
	if len(p) < len("running ") || !is(string(p[:len("running")]), "running") {
		return false
	}
	words := wordReader{text: string(p)}
	if string(words.next()) != "running" || words.at < len(p) && p[words.at] != ' ' && p[words.at] != '_' && !starts(string(p), words.at) {
		return false
	}
	what := words.next()
	return len(what) > 3 && meaningOf(what) == noMeaning && !afterRunning[string(what)] && string(what[len(what)-2:]) != "ly"
}

// strongest returns the strongest of what the words say, where one in -ing says
// what it is given.
func (p phrase) strongest(goes meaning) meaning {
	strongest := noMeaning
	p.words(func(m meaning, turned bool) {
		switch {
		case turned:
			m = m.contrary(busy)
		case m == going:
			m = goes
		case m == due:
			m = busy
		case m == past, m == noticed:
			m = good
		}
		strongest = max(strongest, m)
	})
	return strongest
}

// goes reports whether the name of a condition is a word in -ing that no
// vocabulary has, such as ContinuousArchiving: it does not say whether that is
// to go on or to end.
func (p phrase) goes() bool {
	last := noMeaning
	p.words(func(m meaning, _ bool) { last = m })
	return last == going
}

// reason returns what the phrase says as a reason: as a state, but a word in
// -ing in the middle of it names a thing, as in PublishingStrategyExcludesLoadBalancer.
func (p phrase) reason() meaning {
	strongest := p.strongest(noMeaning)
	words := wordReader{text: string(p)}
	first := meaningOf(words.next())
	last := first
	for word := words.next(); len(word) > 0; word = words.next() {
		last = meaningOf(word)
	}
	if first == going || last == going {
		strongest = max(strongest, busy)
	}
	return strongest
}

// role returns what it means that a condition of that type is True: what the
// last of its words that says anything says.
func (p phrase) role() meaning {
	last := noMeaning
	p.words(func(m meaning, turned bool) {
		switch {
		case m == noticed && (last == bad || last == neutral):
			if turned {
				last = good
			}
			return
		case turned:
			m = m.contrary(bad)
		case m == noticed:
			m = good
		case m == going:
			return
		case m == due:
			m = good
		}
		last = m
	})
	return last
}

// first returns the first byte, zero of an empty phrase.
func (p phrase) first() byte {
	if p == "" {
		return 0
	}
	return p[0]
}

// words calls visit with what each word says that says anything, and whether a
// word before it turns that, or once with what the phrase as a whole says.
func (p phrase) words(visit func(m meaning, turned bool)) {
	if len(p) <= longestPhrase && phraseStarts[lower(p.first())] {
		var room [longestPhrase]byte
		if m, ok := phrases[string(squeezed(room[:0], string(p)))]; ok {
			visit(m, false)
			return
		}
	}
	turned, goes, bound := false, false, false
	words := wordReader{text: string(p)}
	for word, first := words.next(), true; len(word) > 0; word, first = words.next(), false {
		m := meaningOf(word)
		if first && string(word) == "0" { // 0 errors, 0/3 ready
			m = negator
		}
		if goes && (string(word) == "up" || string(word) == "down") { // setting up is no more up than scaling down is down
			m = noMeaning
		}
		if bound && string(word) == "reached" { // a limit, other than a goal, is not there to be reached
			m = bad
		}
		goes, bound = strings.HasSuffix(string(word), "ing"), string(word) == "limit" || string(word) == "quota"
		switch m {
		case noMeaning:
		case negator:
			turned = true
		default:
			visit(m, turned)
			turned = false
		}
	}
}

// A wordReader takes a text apart. A word begins after a space or a sign, and
// with a capital after a small letter.
type wordReader struct {
	text string
	at   int
	room [24]byte
}

// next returns the next word in small letters until the one after it is asked
// for; empty at the end. What is longer than any word of the vocabulary is cut off.
func (r *wordReader) next() []byte {
	word := r.room[:0]
	for ; r.at < len(r.text); r.at++ {
		c := r.text[r.at]
		if len(word) > 0 && (starts(r.text, r.at) || !letter(c) && c != '\'') {
			break
		}
		if letter(c) && len(word) < cap(word) {
			word = append(word, lower(c))
		}
	}
	return word
}

// contrary returns what a phrase says that turns a word of that meaning. What is
// not good is on its way where it stands for a state, and trouble where it names
// a condition.
func (m meaning) contrary(ungood meaning) meaning {
	switch m {
	case good, idle, due, past, noticed:
		return ungood
	case bad:
		return good
	}
	return noMeaning
}

// meaningOf returns what a word in small letters says.
func meaningOf(word []byte) meaning {
	if m, ok := vocabulary[string(word)]; ok {
		return m
	}
	switch n := len(word); {
	case n > 5 && string(word[:2]) == "un" && string(word[n-2:]) == "ed":
		return busy
	case n > 5 && string(word[n-3:]) == "ing" && !nouns[string(word)]:
		return going
	case n > 4 && (string(word[n-2:]) == "ed" || string(word[n-3:]) == "ble"):
		return past
	}
	return noMeaning
}

// squeezed appends a text without spaces, signs and capitals; nothing of one
// that is too long to be a set phrase.
func squeezed(to []byte, text string) []byte {
	if len(text) > cap(to) {
		return to
	}
	for i := range len(text) {
		if letter(text[i]) {
			to = append(to, lower(text[i]))
		}
	}
	return to
}

// starts reports whether a capital begins a new word: after a small letter or a
// digit, or as the last of several if a small letter follows, as in "EKSReady".
func starts(text string, i int) bool {
	if c := text[i]; i == 0 || c < 'A' || c > 'Z' {
		return false
	}
	before := text[i-1]
	if before >= 'A' && before <= 'Z' {
		return i+1 < len(text) && text[i+1] >= 'a' && text[i+1] <= 'z'
	}
	return letter(before)
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
