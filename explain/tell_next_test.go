package explain

import (
	"strings"
	"testing"
)

func TestShellWord(t *testing.T) {
	for _, row := range []struct{ name, word, want string }{
		{"it leaves a plain name alone", "api-7c9f", "api-7c9f"},
		{"it leaves a path of a resource alone", "deployment.apps/api", "deployment.apps/api"},
		{"it quotes nothing as nothing", "", "''"},
		{"it quotes a blank", "a b", "'a b'"},
		{"it quotes what a shell would run", "$(reboot)", "'$(reboot)'"},
		{"it quotes a quotation mark", "it's", `'it'\''s'`},
		{"it quotes the end of a command", "a;b", "'a;b'"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if have := shellWord(row.word); have != row.want {
				t.Errorf("shellWord(%q) = %s, want %s", row.word, have, row.want)
			}
		})
	}
}

// Commands can be pasted into a shell, whatever names an object has.
func TestNextIsOneCommand(t *testing.T) {
	for _, x := range examples(t) {
		t.Run(x.name, func(t *testing.T) {
			for _, next := range x.next {
				if bad := unquoted(next); !strings.HasPrefix(next, "kubectl ") && !strings.HasPrefix(next, "kstatus ") || bad != "" {
					t.Errorf("%s: a shell would do more than run it: %q", next, bad)
				}
			}
		})
	}
}

// unquoted returns the characters outside of quotation marks that mean something
// to a shell.
func unquoted(command string) string {
	inside, bad := false, ""
	for i, r := range command {
		switch {
		case r == '\'' && (i == 0 || command[i-1] != '\\' || inside):
			inside = !inside
		case !inside && strings.ContainsRune("\"$`;&|<>(){}*?!#\n", r):
			bad += string(r)
		}
	}
	if inside {
		bad += "'"
	}
	return bad
}
