package pages

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"kstatus.dev/test/lib/cluster"
)

// limit ends a block that hangs.
const limit = 5 * time.Minute

// A stage is the place where the commands of one page run.
type stage struct {
	page, ns    string
	dir         string
	environment []string
	before      map[string]string // scripts, by the name of their command
	prints      map[string]string // outputs that the page does not show
	used        map[string]bool   // the commands that have run
}

// newStage makes the files of a page. It runs the script before, and then the setup of the page.
func newStage(t *testing.T, page string, blocks []block, before string) *stage {
	t.Helper()
	s := &stage{page: page, dir: t.TempDir(), before: map[string]string{}, prints: map[string]string{}, used: map[string]bool{}}
	s.write(t, "testdata/common.txtar", blocks)
	s.write(t, filepath.Join("testdata", name(page)+".txtar"), blocks)
	c := live.Cluster(t)
	s.ns = c.Namespace(t)
	kubeconfig := filepath.Join(s.dir, ".kube", "config")
	if err := cluster.WriteKubeconfig(kubeconfig, c.Config(), s.ns); err != nil {
		t.Fatal(err)
	}
	repository, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{filepath.Join(s.dir, "bin"), bin, os.Getenv("PATH")}, string(filepath.ListSeparator))
	s.environment = append(os.Environ(), "PATH="+path, "HOME="+s.dir, "KUBECONFIG="+kubeconfig, "NS="+s.ns, "ROOT="+repository, "USERHOME="+os.Getenv("HOME"))
	for _, name := range []string{"GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"} {
		s.environment = append(s.environment, name+"=")
	}
	if before != "" {
		s.script(t, before)
	}
	s.script(t, "set -ex\n[ ! -e setup.sh ] || . ./setup.sh")
	return s
}

// write writes the files of an archive, if it exists.
func (s *stage) write(t *testing.T, archive string, blocks []block) {
	t.Helper()
	text, err := os.ReadFile(archive)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse(text).Files {
		name, data := f.Name, f.Data
		if command, ok := strings.CutPrefix(name, "before "); ok {
			s.before[command] = string(data)
			continue
		}
		if command, ok := strings.CutPrefix(name, "prints "); ok {
			s.prints[command] = string(data)
			continue
		}
		if from, ok := strings.CutPrefix(name, "yaml "); ok {
			number, file, _ := strings.Cut(from, " ")
			name, data = file, []byte(yamlBlock(t, blocks, number))
		}
		file := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// yamlBlock returns the text of a YAML block of a page, by its number from 1.
func yamlBlock(t *testing.T, blocks []block, number string) string {
	t.Helper()
	n, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if b.language == "yaml" {
			if n--; n == 0 {
				return b.text
			}
		}
	}
	t.Fatalf("there is no YAML block %s", number)
	return ""
}

// run runs the commands of one block in one shell, and checks each.
func (s *stage) run(t *testing.T, commands []commandLine) {
	t.Helper()
	out := t.TempDir()
	var script strings.Builder
	fmt.Fprintln(&script, "set -o pipefail")
	for i, c := range commands {
		r := row{s.page, c.name()}
		text := c.text
		if e, excepted := exceptions[r]; excepted {
			text = e.instead
		}
		s.used[c.name()] = true
		if before := s.before[c.name()]; before != "" {
			fmt.Fprintf(&script, "export OUTPUT=%s/%d\n{\n%s\n} >%s/before%d 2>&1\necho $? >%s/before%d.code\n", out, i, before, out, i, out, i)
		}
		fmt.Fprintf(&script, "{\n%s\n} >%s/%d 2>&1\necho $? >%s/%d.code\n", text, out, i, out, i)
	}
	s.script(t, script.String())
	for i, c := range commands {
		r := row{s.page, c.name()}
		where := fmt.Sprintf("%s:%d: %s", s.page, c.line, c.text)
		if code, text := result(t, filepath.Join(out, "before"+strconv.Itoa(i))); code > 0 {
			t.Errorf("%s: the script before it ends with exit code %d:\n%s", where, code, text)
		}
		code, text := result(t, filepath.Join(out, strconv.Itoa(i)))
		if want := exits[r].code; code != want {
			t.Errorf("%s\nends with exit code %d, want %d:\n%s", where, code, want, text)
			continue
		}
		if testing.Verbose() {
			t.Logf("%s\n%s", where, text)
		}
		if prints, ok := s.prints[c.name()]; ok {
			c.shown, c.shows = prints, true
		}
		if !c.shows {
			continue
		}
		if err := compare(c.shown, strings.ReplaceAll(text, s.ns, "shop")); err != nil {
			t.Errorf("%s\n%v", where, err)
		}
	}
}

// result returns the exit code and the output of a command. The code is -1 if the command has
// not run or ended.
func result(t *testing.T, file string) (code int, output string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	number, err := os.ReadFile(file + ".code")
	if errors.Is(err, os.ErrNotExist) {
		return -1, string(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	if code, err = strconv.Atoi(strings.TrimSpace(string(number))); err != nil {
		t.Fatal(err)
	}
	return code, string(text)
}

// script runs a script in the folder of the page. Its processes end with it.
func (s *stage) script(t *testing.T, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "--noprofile", "--norc", "-c", text)
	cmd.Dir, cmd.Env = s.dir, s.environment
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	end := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Cancel = end
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	_ = end() // a background process of the page; usually there is none
	if err != nil {
		t.Errorf("%s: %v\n%s", s.page, err, out)
	}
}

// checkUse checks that the commands of the archive have run.
func (s *stage) checkUse(t *testing.T) {
	t.Helper()
	for _, files := range []map[string]string{s.before, s.prints} {
		for name := range files {
			if !s.used[name] {
				t.Errorf("%s has no command %q, which its archive names", s.page, name)
			}
		}
	}
}
