package planted

// shortest is the length of the shortest trace of a secret in bytes.
const shortest = 4

// Find returns the plants whose secrets a text contains, as [Plant.FoundIn] of each
// would. It reads the text once, since texts are long and plants many.
func Find(plants []Plant, text string) (found []Plant) {
	type trace struct {
		text string
		of   int // the index of the plant
	}
	var traces [1 << 16][]trace // by the hash of their first bytes
	for i, p := range plants {
		for _, t := range p.traces() {
			h := hash(t[:shortest])
			traces[h] = append(traces[h], trace{t, i})
		}
	}
	isIn := make([]bool, len(plants))
	for i := range len(text) - shortest + 1 {
		for _, t := range traces[hash(text[i:i+shortest])] {
			if len(text)-i >= len(t.text) && text[i:i+len(t.text)] == t.text {
				isIn[t.of] = true
			}
		}
	}
	for i, p := range plants {
		if isIn[i] {
			found = append(found, p)
		}
	}
	return found
}

// hash returns a hash of the first four bytes of a text.
func hash(s string) uint16 {
	word := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
	return uint16(word * 2654435761 >> 16)
}
