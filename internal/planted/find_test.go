package planted

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	plants := Plants()
	for _, row := range []struct {
		it    string
		every int // every so many of the objects are in the text
	}{
		{"finds nothing in a text without objects", 0},
		{"finds all", 1},
		{"finds some", 7},
	} {
		t.Run(row.it, func(t *testing.T) {
			var b strings.Builder
			for i, p := range plants {
				if row.every > 0 && i%row.every == 0 {
					text, err := json.Marshal(p.Object)
					if err != nil {
						t.Fatal(err)
					}
					b.Write(text)
				}
			}
			var want []string
			for _, p := range plants {
				if p.FoundIn(b.String()) {
					want = append(want, p.Secret)
				}
			}
			var have []string
			for _, p := range Find(plants, b.String()) {
				have = append(have, p.Secret)
			}
			if strings.Join(have, "\n") != strings.Join(want, "\n") || (row.every > 0) != (len(want) > 0) {
				t.Errorf("have %d secrets, want %d", len(have), len(want))
			}
		})
	}
	if have := Find(plants, "abc"); have != nil {
		t.Errorf("a short text has %d secrets, want none", len(have))
	}
}
