package e2e

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/least/standin"
	"kstatus.dev/test/lib/poll"
)

// A stage is the environment of one script.
type stage struct {
	cluster   *cluster.Cluster
	tb        testing.TB
	namespace string
	contexts  map[string]string  // the namespaces of contexts
	schema    *jsonschema.Schema // the schema of the lines
	reports   *jsonschema.Schema
	record    *jsonschema.Schema

	awaited []*awaitedText // changes for texts of the next kstatus

	mu      sync.Mutex  // guards running
	running *os.Process // the kstatus whose texts are awaited
}

type stageKey struct{}

func stageOf(ts *testscript.TestScript) *stage {
	s, ok := ts.Value(stageKey{}).(*stage)
	if !ok {
		ts.Fatalf("the script has no cluster")
	}
	return s
}

// commands are the commands of scripts in addition to testscript's own.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"apply":    func(ts *testscript.TestScript, _ bool, args []string) { ts.Check(stageOf(ts).apply(ts.MkAbs, args)) },
	"remove":   func(ts *testscript.TestScript, _ bool, args []string) { ts.Check(stageOf(ts).remove(ts.MkAbs, args)) },
	"report":   func(ts *testscript.TestScript, _ bool, args []string) { ts.Check(stageOf(ts).report(ts.MkAbs, args)) },
	"contexts": contexts,
	"conforms": conforms,
	"reported": reported,
	"records":  records,
	"part":     part,
	"harmless": checkHarmless,
	"later":    later,
	"user":     user,
	"exits":    exits,
	"timesout": timesOut,
	"signal":   sendSignal,
	"normal":   normal,
	"release":  func(ts *testscript.TestScript, _ bool, args []string) { ts.Check(stageOf(ts).release(ts.MkAbs, args)) },
	"fill":     fillNamespaces,
}

// kubeconfig writes a kubeconfig with the script's namespace as default, and with the contexts
// that have their own namespace.
func (s *stage) kubeconfig(dir string) string {
	config, err := clientcmd.LoadFromFile(s.cluster.Kubeconfig())
	if err != nil {
		s.tb.Fatal(err)
	}
	given := config.Contexts[config.CurrentContext]
	given.Namespace = s.namespace
	for name, namespace := range s.contexts {
		own := given.DeepCopy()
		own.Namespace = namespace
		config.Contexts[name] = own
	}
	path := filepath.Join(dir, "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		s.tb.Fatal(err)
	}
	return path
}

// later registers a change for the output of the next kstatus.
func later(ts *testscript.TestScript, _ bool, args []string) {
	s := stageOf(ts)
	actions := map[string]func(func(string) string, []string) error{
		"apply": s.apply, "remove": s.remove, "report": s.report, "release": s.release, "interrupt": s.interrupt,
	}
	if len(args) < 2 || actions[args[1]] == nil || len(args[0]) < 3 || !strings.HasPrefix(args[0], "/") || !strings.HasSuffix(args[0], "/") {
		ts.Fatalf("usage: later /REGEXP/ apply|remove|report|release|interrupt ARG…")
	}
	pattern, err := regexp.Compile(args[0][1 : len(args[0])-1])
	ts.Check(err)
	var done sync.WaitGroup
	ts.Defer(done.Wait)
	s.awaited = append(s.awaited, &awaitedText{pattern: pattern, reached: func() {
		done.Go(func() {
			if err := actions[args[1]](ts.MkAbs, args[2:]); err != nil {
				s.tb.Errorf("later %s: %v", strings.Join(args, " "), err)
			}
		})
	}})
}

// interrupt interrupts the kstatus that runs, like Ctrl-C.
func (s *stage) interrupt(func(string) string, []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running.Signal(os.Interrupt)
}

// contexts creates contexts, each with its own namespace.
func contexts(ts *testscript.TestScript, _ bool, args []string) {
	s := stageOf(ts)
	for _, name := range args {
		s.contexts[name] = s.cluster.Namespace(s.tb)
	}
	s.kubeconfig(ts.Getenv("WORK"))
}

func user(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: user NAME VERB,… RESOURCE…")
	}
	s := stageOf(ts)
	grant := cluster.Grant{Namespace: s.namespace, Verbs: strings.Split(args[1], ","), Resources: args[2:]}
	ts.Setenv("KUBECONFIG", s.cluster.User(s.tb, s.namespace, args[0], grant))
}

func conforms(ts *testscript.TestScript, _ bool, _ []string) {
	n := 0
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		ts.Check(err)
		if err := stageOf(ts).schema.Validate(value); err != nil {
			ts.Fatalf("%s: %v", line, err)
		}
		n++
	}
	if n == 0 {
		ts.Fatalf("there is no line")
	}
}

func reported(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: reported FILE")
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	if err := stageOf(ts).reports.Validate(value); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE CMD ARG…")
	}
	checkCode(ts, args[0], runs(ts, args[1:]), args[1:])
}

// checkCode requires the exit code of a command.
func checkCode(ts *testscript.TestScript, want string, have int, args []string) {
	if strconv.Itoa(have) != want {
		ts.Fatalf("%s: exit code %d, want %s", strings.Join(args, " "), have, want)
	}
}

// runs runs a command, and returns its exit code.
func runs(ts *testscript.TestScript, args []string) int {
	s := stageOf(ts)
	var err error
	if awaited := s.awaited; len(awaited) > 0 {
		s.awaited = nil
		cmd := kstatus(ts, args[0], args[1:])
		out := []io.Writer{ts.Stdout()}
		for _, text := range awaited {
			out = append(out, text)
		}
		cmd.Stdout, cmd.Stderr = io.MultiWriter(out...), ts.Stderr()
		s.mu.Lock()
		err = cmd.Start()
		s.running = cmd.Process
		s.mu.Unlock()
		ts.Check(err)
		err = cmd.Wait()
	} else {
		err = ts.Exec(args[0], args[1:]...)
	}
	code, err := codeOf(err)
	ts.Check(err)
	return code
}

// timesOut runs a command with a timeout of a second. While the output does not match, it runs the
// command again with twice the time, since a busy machine reads late. It requires the exit code of
// the last run.
func timesOut(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 3 || !strings.HasPrefix(args[0], "/") || !strings.HasSuffix(args[0], "/") {
		ts.Fatalf("usage: timesout /REGEXP/ CODE CMD ARG…")
	}
	pattern, err := regexp.Compile("(?m)" + strings.Trim(args[0], "/"))
	ts.Check(err)
	for timeout := time.Second; ; timeout *= 2 {
		code := runs(ts, append(slices.Clone(args[2:]), "--timeout", timeout.String()))
		if pattern.MatchString(ts.ReadFile("stdout")) {
			checkCode(ts, args[1], code, args[2:])
			return
		}
		if timeout > time.Minute {
			ts.Fatalf("no output matches %s", args[0])
		}
	}
}

// kstatus returns a command with the script's environment for it.
func kstatus(ts *testscript.TestScript, name string, args []string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(standIns, name), args...)
	cmd.Env = os.Environ()
	for _, name := range []string{"KUBECONFIG", "HOME", "KSTATUS_HISTORY", standin.Socket, standin.Stage} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.Dir = ts.MkAbs(".")
	return cmd
}

// codeOf returns the exit code in an error of os/exec.
func codeOf(err error) (int, error) {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// sendSignal runs a command and signals it after two printed lines: its start, and what it
// waits for or that it is watching.
func sendSignal(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: signal NAME CODE CMD ARG…")
	}
	sig, known := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM}[args[0]]
	want, err := strconv.Atoi(args[1])
	if !known || err != nil {
		ts.Fatalf("signal: want INT or TERM and an exit code, have %s %s", args[0], args[1])
	}
	cmd := kstatus(ts, args[2], args[3:])
	watches := make(chan struct{})
	out := &lineBuffer{lines: 2, reached: make(chan struct{})}
	watching := &awaitedText{pattern: regexp.MustCompile("note: watching "), reached: func() { close(watches) }}
	cmd.Stdout, cmd.Stderr = out, io.MultiWriter(ts.Stderr(), watching)
	ts.Check(cmd.Start())
	select {
	case <-out.reached:
	case <-watches:
	case <-time.After(poll.Patience):
		ts.Logf("%s has told nothing", strings.Join(args[2:], " "))
	}
	ts.Check(cmd.Process.Signal(sig))
	code, err := codeOf(cmd.Wait())
	ts.Check(err)
	_, err = ts.Stdout().Write(out.text.Bytes())
	ts.Check(err)
	if code != want {
		ts.Fatalf("%s: exit code %d, want %d", strings.Join(args[2:], " "), code, want)
	}
}

// An awaitedText calls reached once what was written matches its pattern.
type awaitedText struct {
	pattern *regexp.Regexp
	reached func()
	seen    bytes.Buffer
	once    sync.Once
}

func (a *awaitedText) Write(p []byte) (int, error) {
	n, err := a.seen.Write(p)
	if a.pattern.Match(a.seen.Bytes()) {
		a.once.Do(a.reached)
	}
	return n, err
}

// A lineBuffer buffer reports when it contains a number of lines.
type lineBuffer struct {
	text    bytes.Buffer
	lines   int
	reached chan struct{}
}

func (w *lineBuffer) Write(p []byte) (int, error) {
	had := bytes.Count(w.text.Bytes(), []byte("\n"))
	n, err := w.text.Write(p)
	if has := bytes.Count(w.text.Bytes(), []byte("\n")); had < w.lines && has >= w.lines {
		close(w.reached)
	}
	return n, err
}
