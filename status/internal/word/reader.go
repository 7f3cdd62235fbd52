package word

// A reader splits a text into words. A word begins after a space or a punctuation mark, and at a
// capital after a small letter.
type reader struct {
	text string
	at   int      // where the next word begins
	room [24]byte // holds the current word
}

// next returns the next word in lower case; empty at the end. The word is valid until the next
// call. Words longer than any in the vocabulary are cut.
func (r *reader) next() []byte {
	word := r.room[:0]
	for ; r.at < len(r.text); r.at++ {
		c := r.text[r.at]
		if len(word) > 0 && (startsWord(r.text, r.at) || !letter(c) && c != '\'') {
			break
		}
		if letter(c) && len(word) < cap(word) {
			word = append(word, lower(c))
		}
	}
	return word
}

// squeezed appends a text in lower case without spaces and punctuation. If the text is longer
// than the capacity, it appends nothing.
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

// startsWord reports whether a capital begins a new word. It does after a small
// letter or a digit, and as the last of several if a small letter follows, as in
// "EKSReady".
func startsWord(text string, i int) bool {
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
