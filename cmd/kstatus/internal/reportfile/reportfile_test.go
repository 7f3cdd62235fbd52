package reportfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/cmd/kstatus/internal/terminal"
)

func TestReplaceFileIsAtomic(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	write := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, werr := io.WriteString(w, text)
			return errors.Join(err, werr)
		}
	}
	holds := func(want string) {
		t.Helper()
		have, err := os.ReadFile(file)
		if err != nil || string(have) != want {
			t.Errorf("the file holds %q, %v; want %q", have, err, want)
		}
	}
	if err := replaceFile(file, write("first", nil)); err != nil {
		t.Fatal(err)
	}
	holds("first")
	broken := errors.New("broken")
	if err := replaceFile(file, write("half", broken)); !errors.Is(err, broken) {
		t.Errorf("the error is %v, want %v", err, broken)
	}
	holds("first")
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(link, write("second", nil)); err != nil {
		t.Fatal(err)
	}
	holds("second")
	if all, err := os.ReadDir(dir); err != nil || len(all) != 2 {
		t.Errorf("the folder holds %v, %v; want a file and a link", all, err)
	}
}

// Files that cannot or should not be written are rejected before the wait.
func TestReportFilesAreChecked(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	secret := filepath.Join(elsewhere, "authorized_keys")
	for _, name := range []string{at("file"), secret} {
		if err := os.WriteFile(name, []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(at("folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"near": "file", "far": secret, "lost": "nothing", "toFolder": "folder", "toDevice": os.DevNull} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct{ it, file, want string }{
		{"takes a new file", at("new"), ""},
		{"takes a new file in a new folder", at("a/b/new"), ""},
		{"takes a file that is there", at("file"), ""},
		{"takes a link to a file beside it", at("near"), ""},
		{"takes a device", os.DevNull, ""},
		{"takes a link to a device", at("toDevice"), ""},
		{"takes standard output", "/dev/stdout", ""},
		{"refuses a folder", at("folder"), "have a directory"},
		{"refuses a link to a folder", at("toFolder"), "have a directory"},
		{"refuses a link to a file elsewhere", at("far"), "have a link to " + secret},
		{"refuses a link to nothing", at("lost"), "leads nowhere"},
		{"refuses a file below a file", at("file/new"), "not a directory"},
	} {
		t.Run(row.it, func(t *testing.T) {
			err := Request{"md", row.file}.prepare()
			if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
				t.Errorf("the error is %v, want %q", err, row.want)
			}
		})
	}
	if have, err := os.ReadFile(secret); err != nil || string(have) != "text" {
		t.Errorf("the file elsewhere holds %q, %v", have, err)
	}
	if _, err := os.Stat(at("new")); err == nil {
		t.Error("a file is left behind")
	}
	all := Requests{{"md", at("near")}}
	if all.CheckInputs([]string{at("new"), "-"}) != nil || all.CheckInputs([]string{at("file")}) == nil {
		t.Error("a report replaces a file that is read")
	}
}

func TestCommandLineHoldsNoSecret(t *testing.T) {
	cmd := &cobra.Command{Use: "wait"}
	genericclioptions.NewConfigFlags(true).AddFlags(cmd.Flags())
	new(selection.Flags).AddTo(cmd)
	err := cmd.ParseFlags([]string{
		"-f", "https://me:hunter2@example.com/a.yaml?sig=hunter2", "-f", "b.yaml", "--token", "hunter2", "--server=https://me:hunter2@host:6443", "-n", "shop", "-A", "deploy/web",
	})
	if err != nil {
		t.Fatal(err)
	}
	have := cli.CommandLine(cmd, cmd.Flags().Args())
	want := []string{"wait", "deploy/web", "--all-namespaces", "--filename=https://…@example.com/a.yaml?…", "--filename=b.yaml", "--namespace=shop", "--server=https://…@host:6443", "--token=…"}
	if !slices.Equal(have, want) {
		t.Errorf("have %q,\nwant %q", have, want)
	}
	for text, want := range map[string]string{
		"deploy/web":                 "deploy/web",
		"https://x.example/a?b=c#d":  "https://x.example/a?…",
		"https://a b:%zz@host/?hunt": "https://…",
	} {
		if have := terminal.RedactURL(text); have != want {
			t.Errorf("discreet(%q) = %q, want %q", text, have, want)
		}
	}
}
