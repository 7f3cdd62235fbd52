package status

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

var meanings = map[string]meaning{"-": noMeaning, "neutral": neutral, "good": good, "idle": idle, "busy": busy, "bad": bad, "likely": past}

// A line of testdata/words.cases is a phrase, what it means as a state, and
// what it means when a condition of that name is True.
func TestWords(t *testing.T) {
	f, err := os.Open("testdata/words.cases")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[string]bool{}
	for lines, n := bufio.NewScanner(f), 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		cut := strings.Fields(line)
		text := strings.Join(cut[2:], " ")
		state, ok1 := meanings[cut[0]]
		role, ok2 := meanings[cut[1]]
		if !ok1 || !ok2 {
			t.Fatalf("words.cases:%d: %q: want two meanings and a phrase", n, line)
		}
		t.Run(text, func(t *testing.T) {
			if got := phrase(text).state(); got != state {
				t.Errorf("words.cases:%d: %s as a state is %d, want %s", n, text, got, cut[0])
			}
			if got := phrase(text).role(); got != role {
				t.Errorf("words.cases:%d: %s as a condition is %d, want %s", n, text, got, cut[1])
			}
		})
		var room [longestPhrase]byte
		seen[string(squeezed(room[:0], text))] = true
		words := wordReader{text: text}
		for w := words.next(); len(w) > 0; w = words.next() {
			seen[string(w)] = true
		}
	}
	for _, table := range []map[string]meaning{vocabulary, phrases} {
		for w := range table {
			if !seen[w] {
				t.Errorf("words.cases has no phrase with %q", w)
			}
		}
	}
	for w := range nouns {
		if !seen[w] {
			t.Errorf("words.cases has no phrase with %q", w)
		}
	}
}

func TestPhrasesAreNotTooLong(t *testing.T) {
	for p := range phrases {
		if len(p) > longestPhrase {
			t.Errorf("%q is longer than %d", p, longestPhrase)
		}
	}
}

// A word stands in the vocabulary once.
func TestVocabularyHasEachWordOnce(t *testing.T) {
	seen := map[string]meaning{}
	for m, list := range lists {
		for _, w := range strings.Fields(list) {
			if other, ok := seen[w]; ok {
				t.Errorf("%q stands twice in the vocabulary, as %d and as %d", w, other, m)
			}
			seen[w] = m
			if w != strings.ToLower(w) {
				t.Errorf("%q has a capital", w)
			}
		}
	}
}
