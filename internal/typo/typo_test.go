package typo

import "testing"

func TestIs(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       bool
	}{
		{"two letters swapped", "web", "wbe", true},
		{"the same word", "web", "web", false},
		{"another letter", "web", "wib", true},
		{"another word", "web", "app", false},
		{"one letter missing", "frontend", "fontend", true},
		{"three letters missing", "frontend", "front", false},
		{"two mistakes in a long word", "checkout", "chekcuot", true},
		{"the last letter missing", "db-creds", "db-cred", true},
		{"words of one letter", "a", "b", false},
		{"no word", "", "web", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if have := Is(c.a, c.b); have != c.want {
				t.Errorf("Is(%q, %q) = %v, want %v", c.a, c.b, have, c.want)
			}
		})
	}
}

func TestFind(t *testing.T) {
	known := []string{"app", "web", "wep"}
	for word, want := range map[string]string{"wbe": "web", "shop": "", "web": "wep"} {
		if have := Find(word, known); have != want {
			t.Errorf("Find(%q) = %q, want %q", word, have, want)
		}
	}
}
