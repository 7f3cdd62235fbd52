package annotation_test

import (
	"strings"
	"testing"

	"kstatus.dev/internal/annotation"
	"kstatus.dev/internal/text"
)

func TestFile(t *testing.T) {
	for _, c := range []struct{ it, root, dir, file, want string }{
		{"names a file in the workspace", "/ws", "/ws", "deploy/app.yaml", "deploy/app.yaml"},
		{"names a file in a folder of the workspace", "/ws", "/ws/deploy", "app.yaml", "deploy/app.yaml"},
		{"names a file by its absolute path", "/ws", "/elsewhere", "/ws/app.yaml", "app.yaml"},
		{"cleans a path", "/ws", "/ws/deploy", "../deploy/./app.yaml", "deploy/app.yaml"},
		{"names no file outside the workspace", "/ws", "/ws", "../app.yaml", ""},
		{"names no file of a folder with the same prefix", "/ws", "/ws2", "app.yaml", ""},
		{"names no file without a known path from the workspace", "ws", "/ws", "app.yaml", ""},
		{"names a file relative to the folder without a workspace", "", "deploy", "app.yaml", "deploy/app.yaml"},
		{"names no absolute file without a workspace", "", "", "/ws/app.yaml", ""},
		{"does not name standard input", "/ws", "/ws", "-", ""},
		{"does not name a URL", "/ws", "/ws", "https://example.com/app.yaml", ""},
	} {
		t.Run(c.it, func(t *testing.T) {
			if got := annotation.File(c.root, c.dir, c.file); got != c.want {
				t.Errorf("File(%q, %q, %q) = %q, want %q", c.root, c.dir, c.file, got, c.want)
			}
		})
	}
}

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		it, message string
		properties  []string
		want        string
	}{
		{"writes a message without properties", "Ready: False", nil, "::error::Ready: False\n"},
		{"separates properties", "m", []string{"file", "a.yaml", "line", "3"}, "::error file=a.yaml,line=3::m\n"},
		{"escapes separators of properties", "m", []string{"title", "50%, or::less\r\n"}, "::error title=50%25%2C or%3A%3Aless  ::m\n"},
		{"escapes separators of messages", "50%\n::warning::x", nil, "::error::50%25%0A::warning::x\n"},
		{"removes control characters from the message", "a\x1b[31mb", nil, "::error::a�[31mb\n"},
		{"omits a property without a value", "m", []string{"file"}, "::error::m\n"},
	} {
		t.Run(c.it, func(t *testing.T) {
			if got := annotation.Command("error", c.message, c.properties...); got != c.want {
				t.Errorf("Command = %q, want %q", got, c.want)
			}
		})
	}
}

// For any message and property, a command is one line with one property.
func FuzzCommand(f *testing.F) {
	f.Add("message", "title")
	f.Add("a\n::error::b", "x::y,file=z")
	f.Add("%0A\r\n\u2028\x85", "%3A\r")
	f.Fuzz(func(t *testing.T, message, title string) {
		got := annotation.Command("error", message, "title", title)
		line, ended := strings.CutSuffix(got, "\n")
		if !ended || strings.ContainsAny(line, "\r\n") {
			t.Fatalf("%q is not one line", got)
		}
		head, _, found := strings.Cut(strings.TrimPrefix(line, "::error title="), "::")
		if !found || strings.ContainsAny(head, ":,") {
			t.Fatalf("%q has not the one property", got)
		}
		unescape := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
		if unescape.Replace(head) != text.Safe(title) {
			t.Errorf("%q is read as the title %q, want %q", got, unescape.Replace(head), text.Safe(title))
		}
	})
}
