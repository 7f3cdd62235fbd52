//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
)

// onTerminal runs the command with its standard output on a terminal of 50 columns.
func onTerminal(t *testing.T, environ []string, args ...string) string {
	t.Helper()
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 50}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "widget.yaml")
	if err := os.WriteFile(file, []byte(widget), 0o600); err != nil {
		t.Fatal(err)
	}
	env := cli.Env{In: strings.NewReader(""), Out: tty, Err: os.Stderr, Environ: environ, Now: time.Now}
	code := run(t.Context(), env, append([]string{"kstatus", "get", "--local", "-f", file}, args...))
	if code != exit.OK {
		t.Fatalf("exit code %d", code)
	}
	const end = "\x04"
	if _, err := tty.WriteString(end); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	buffer := make([]byte, 4096)
	for !strings.HasSuffix(text.String(), end) {
		n, err := terminal.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(buffer[:n])
	}
	tty.Close()
	return strings.TrimSuffix(strings.ReplaceAll(text.String(), "\r\n", "\n"), end)
}

func TestTerminal(t *testing.T) {
	const (
		cut      = "OBJECT     STATUS              AGE         MESSAGE\nWidget/w   Current (assumed)   <unknown>   its st…\n"
		coloured = "OBJECT     STATUS              AGE         MESSAGE\nWidget/w   \x1b[36mCurrent (assumed)\x1b[m   <unknown>   its st…\n"
	)
	for name, c := range map[string]struct {
		environ []string
		args    []string
		want    string
	}{
		"it colours and cuts":             {[]string{"TERM=xterm-256color"}, nil, coloured},
		"it goes by NO_COLOR":             {[]string{"TERM=xterm-256color", "NO_COLOR=please"}, nil, cut},
		"it goes by a dumb terminal":      {[]string{"TERM=dumb"}, nil, cut},
		"it goes by --color=never":        {[]string{"TERM=xterm"}, []string{"--color=never"}, cut},
		"it puts the flag over NO_COLOR":  {[]string{"TERM=xterm", "NO_COLOR=1"}, []string{"--color=always"}, coloured},
		"it goes by COLUMNS":              {[]string{"TERM=dumb", "COLUMNS=30"}, []string{"--no-headers"}, "Widget/w   Current (assumed) …\n"},
		"it does not go by a bad COLUMNS": {[]string{"TERM=dumb", "COLUMNS=-1"}, []string{"--no-headers"}, strings.SplitAfter(cut, "\n")[1]},
		"it never cuts names":             {[]string{"TERM=xterm", "COLUMNS=5"}, []string{"-o", "name"}, "widget.example.com/w\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := onTerminal(t, c.environ, c.args...); got != c.want {
				t.Errorf("on a terminal: %q\nwant %q", got, c.want)
			}
		})
	}
}
