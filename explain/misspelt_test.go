package explain

import "testing"

func TestMisspelt(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"web", "wbe", true},
		{"web", "web", false},
		{"web", "wib", true},
		{"web", "app", false},
		{"frontend", "fontend", true},
		{"frontend", "front", false},
		{"checkout", "chekcuot", true},
		{"db-creds", "db-cred", true},
		{"a", "b", false},
		{"", "web", false},
	} {
		if have := misspelt(c.a, c.b); have != c.want {
			t.Errorf("misspelt(%q, %q) = %v, want %v", c.a, c.b, have, c.want)
		}
	}
}
