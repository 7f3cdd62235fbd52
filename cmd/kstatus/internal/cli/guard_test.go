package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func TestGuard(t *testing.T) {
	for _, row := range []struct{ it, have, want string }{
		{"leaves plain text", "00:01 Current Pod/shop/web: a::b: c ::d #1 ## x [y]\n", "00:01 Current Pod/shop/web: a::b: c ::d #1 ## x [y]\n"},
		{"breaks a command", "::error::x\n", ": :error::x\n"},
		{"breaks a command after blanks", "a\n \t\u00a0::add-mask::x\n", "a\n \t\u00a0: :add-mask::x\n"},
		{"breaks a command after a carriage return", "a\r::error::x\n", "a\r: :error::x\n"},
		{"breaks a command of three colons", ":::error::x\n", ": ::error::x\n"},
		{"leaves a colon alone", ":a\n: :b\n", ":a\n: :b\n"},
		{"breaks the older form anywhere", "x ##[error]y ###[z]", "x ## [error]y ### [z]"},
		{"breaks commands of other systems", "##vso[task.x]y\n##teamcity[z]\n", "##vso [task.x]y\n##teamcity [z]\n"},
		{"leaves headings", "## heading [x]\n#[y]\n##a#[z]\n", "## heading [x]\n#[y]\n##a#[z]\n"},
	} {
		t.Run(row.it, func(t *testing.T) {
			for _, size := range []int{1, 2, 3, 1000} {
				var out bytes.Buffer
				g := withGuard(&out)
				for rest := row.have; rest != ""; rest = rest[min(size, len(rest)):] {
					if n, err := g.Write([]byte(rest[:min(size, len(rest))])); err != nil || n != min(size, len(rest)) {
						t.Fatal(n, err)
					}
				}
				if out.String() != row.want {
					t.Errorf("in pieces of %d bytes it is %q, want %q", size, out.String(), row.want)
				}
			}
		})
	}
}

func TestWithGuard(t *testing.T) {
	var out, err bytes.Buffer
	env := Env{Out: &out, Err: &err}
	if env.WithGuard().Out != env.Out {
		t.Error("it guards outside of a CI system")
	}
	for _, name := range []string{"GITHUB_ACTIONS=true", "TF_BUILD=True", "TEAMCITY_VERSION=2026.1", "CI=true"} {
		env.Environ = []string{name}
		g := env.WithGuard()
		if g.Out == env.Out || g.Err == env.Err || Commands(g.Out) != env.Out || Commands(g.Err) != env.Err || Commands(env.Out) != env.Out {
			t.Errorf("with %s it does not guard, or gives no way for commands", name)
		}
	}
}

// commands matches the commands that GitHub, Azure Pipelines and TeamCity execute.
var commands = regexp.MustCompile(`(?m)(^|\r)[\s\x{0085}\x{00a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]*::|##[A-Za-z]*\[`)

// For any text in any pieces, the output contains no command, and differs only by added blanks.
func FuzzGuard(f *testing.F) {
	f.Add("::error::x\n##[x]\n", 1)
	f.Add("\u3000::##vso[", 3)
	f.Add("##a##[::\r:\n:", 2)
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = 1 + int(uint(size)%10)
		var out bytes.Buffer
		g := withGuard(&out)
		for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
			if _, err := g.Write([]byte(rest[:min(size, len(rest))])); err != nil {
				t.Fatal(err)
			}
		}
		if found := commands.FindString(out.String()); found != "" {
			t.Errorf("of %q comes %q, with %q", text, out.String(), found)
		}
		if strings.ReplaceAll(out.String(), " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Errorf("of %q comes %q", text, out.String())
		}
	})
}

// What a library logs becomes notes, one for each line, in which nothing acts.
func TestNotesOfLibraries(t *testing.T) {
	var out bytes.Buffer
	guarded := Env{Err: &out, Environ: []string{"GITHUB_ACTIONS=true"}}.WithGuard()
	log := notes(func(line string) { guarded.Print("note: %s", line) })
	const text = "never replaced: X\n::error title=gate::passed\n\n\x1b]0;owned\a\x1b[2Jok password=hunter2\r\n##[add-mask]z\n"
	if n, err := log.Write([]byte(text)); err != nil || n != len(text) {
		t.Fatal(n, err)
	}
	const want = "note: never replaced: X\nnote: ::error title=gate::passed\nnote: \ufffd]0;owned\ufffd\ufffd[2Jok password=<redacted>\nnote: ## [add-mask]z\n"
	if out.String() != want {
		t.Errorf("have %q, want %q", out.String(), want)
	}
}
