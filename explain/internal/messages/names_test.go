package messages_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kstatus.dev/explain/internal/messages"
)

func TestHasName(t *testing.T) {
	for _, row := range []struct {
		text, name string
		want       bool
	}{
		{`secret "db" not found`, "db", true},
		{"waits for shop/db.", "db", true},
		{"waits for db.shop", "db", false},
		{"waits for db-0", "db", false},
		{"mydb is not ready", "db", false},
		{"db", "db", true},
		{"", "db", false},
		{"db", "", false},
		{"role system:node is missing", "system:node", true},
		{"stop...", "stop", false},
	} {
		if have := messages.HasName(row.text, row.name); have != row.want {
			t.Errorf("HasName(%q, %q) = %t", row.text, row.name, have)
		}
	}
}

// The words of a text contain the same names as the text itself.
func TestNames(t *testing.T) {
	const letters = "ab-._ :\"/"
	random := func(most int) string {
		var text strings.Builder
		for range rand.N(most) {
			text.WriteByte(letters[rand.N(len(letters))])
		}
		return text.String()
	}
	found := 0
	for range 100_000 {
		texts, all := []string{random(12), random(12)}, messages.Names{}
		for _, text := range texts {
			all.Add(text)
		}
		name := random(4)
		want := messages.HasName(texts[0], name) || messages.HasName(texts[1], name)
		if have := all.Has(name); have != want {
			t.Fatalf("%q in %q: have %t, want %t", name, texts, have, want)
		}
		if want {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("%d names were found", found)
	}
}
