package move

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/reportfile"
	"kstatus.dev/cmd/kstatus/internal/terminal"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// testPlan returns a plan with all decisions.
func testPlan() *plan.Plan {
	item := func(d plan.Decision, step int, group, kind, name, reason string) *plan.Item {
		return &plan.Item{Group: group, Version: "v1", Kind: kind, Namespace: "shop", Name: name, UID: kind + name, Decision: d, Step: step, Reason: reason}
	}
	const core = "cluster.x-k8s.io"
	p := &plan.Plan{
		Scope: plan.Scope{Namespaces: []string{"shop"}}, Source: "https://old", Target: "https://new", Steps: 3,
		Items: []*plan.Item{
			item(plan.Copy, 0, core, "ClusterClass", "small", "Cluster shop/other uses it too"),
			item(plan.Move, 1, core, "Cluster", "web", "it is selected"),
			item(plan.Move, 1, core, "Cluster", "api", "it is selected"),
			item(plan.Move, 2, core, "Machine", "web-0", "it belongs to Cluster web"),
			item(plan.Move, 2, core, "Machine", "api-0", "it belongs to Cluster api"),
			item(plan.Exclude, -1, "", "Secret", "\u202ebad\n", "it belongs to no selected Cluster"),
		},
		Problems: []plan.Problem{{
			Check: "not-ready", Severity: severity.Error, Object: "Machine." + core + " shop/web-0", Message: "it has no Node", Fix: "wait for it", Accept: "not-ready",
		}},
	}
	p.Items[1].WasPaused, p.Items[1].Root, p.Items[2].Root = true, true, true
	p.Items[3].Clusters = []string{"shop/web"}
	return p
}

func TestTable(t *testing.T) {
	const tail = `
Paused before the move; they stay paused:
  Cluster.cluster.x-k8s.io shop/web

Problems:
  error: Machine.cluster.x-k8s.io shop/web-0: it has no Node; wait for it [not-ready]
    to move in spite of it: --accept not-ready
`
	const head = "Plan: everything of namespace shop, from https://old to https://new. 6 objects: move 4, copy 1, keep 1, in 3 steps.\n\n"
	for _, row := range []struct {
		wide bool
		want string
	}{
		{false, `DECISION  KIND                           OBJECTS  STEP  REASON
Move      Cluster.cluster.x-k8s.io       2        1     it is selected
Move      Machine.cluster.x-k8s.io       2        2     it belongs to Cluster web; and 1 other reason (-o wide)
Copy      ClusterClass.cluster.x-k8s.io  1        0     Cluster shop/other uses it too
Exclude   Secret                         1        -     it belongs to no selected Cluster
`},
		{true, `DECISION  STEP  OBJECT                                    CLUSTERS  REASON
Move      1     Cluster.cluster.x-k8s.io shop/web         -         it is selected
Move      1     Cluster.cluster.x-k8s.io shop/api         -         it is selected
Move      2     Machine.cluster.x-k8s.io shop/web-0       shop/web  it belongs to Cluster web
Move      2     Machine.cluster.x-k8s.io shop/api-0       -         it belongs to Cluster api
Copy      0     ClusterClass.cluster.x-k8s.io shop/small  -         Cluster shop/other uses it too
Exclude   -     Secret shop/�bad                          -         it belongs to no selected Cluster
`},
	} {
		var out strings.Builder
		p := testPlan()
		if err := (table{terminal.Style{UTF8: true}, row.wide}).write(&out, p, p.Problems); err != nil {
			t.Fatal(err)
		}
		if want := head + row.want + tail; out.String() != want {
			t.Errorf("have\n%s\nwant\n%s", out.String(), want)
		}
	}
}

func TestHeadlines(t *testing.T) {
	for want, scope := range map[string]plan.Scope{
		"Plan: everything of all namespaces, ":               {},
		"Plan: everything of namespaces a, b, ":              {Namespaces: []string{"a", "b"}},
		"Plan: 2 Clusters web, api, ":                        {Namespaces: []string{"a"}, Clusters: []string{"web", "api"}},
		"Plan: the Clusters with env=test, from x to y. 0 o": {Selector: "env=test"},
	} {
		if have := (table{}).headline(&plan.Plan{Scope: scope, Source: "x", Target: "y"}); !strings.HasPrefix(have, want) {
			t.Errorf("have %q, want %q", have, want)
		}
	}
}

// events are those of a move whose controllers react late.
func events() []move.Event {
	at := func(seconds int, e move.Event) move.Event {
		e.Time = start.Add(time.Duration(seconds) * time.Second)
		return e
	}
	return []move.Event{
		at(0, move.Event{Phase: move.Planned, Steps: 2}),
		at(1, move.Event{Phase: move.Pausing, Steps: 2}),
		at(1, move.Event{Phase: move.Pausing, Object: "Cluster/shop/web", Message: "Busy no Paused yet", Pause: &pause.Object{State: pause.Busy}}),
		at(2, move.Event{Phase: move.Pausing, Object: "Machine/shop/web-0", Message: "Busy block-move", Pause: &pause.Object{State: pause.Busy}}),
		at(3, move.Event{Phase: move.Pausing, Object: "Cluster/shop/web", Message: "Acknowledged Paused=True", Pause: &pause.Object{State: pause.Acknowledged}}),
		at(4, move.Event{Phase: move.Pausing, Message: "the server is gone\nfor a moment"}),
		at(20, move.Event{Phase: move.Creating, Step: 1, Steps: 2}),
		at(20, move.Event{Phase: move.Creating, Step: 1, Steps: 2, Done: 100, Total: 300}),
		at(21, move.Event{Phase: move.Creating, Step: 1, Steps: 2, Done: 200, Total: 300}),
		at(22, move.Event{Phase: move.Creating, Step: 1, Steps: 2, Done: 300, Total: 300}),
		at(30, move.Event{Phase: move.Done}),
	}
}

func TestLog(t *testing.T) {
	var out bytes.Buffer
	now := start
	v := &logView{out: &out, began: start, now: func() time.Time { return now }}
	for _, e := range events() {
		v.event(e)
		if now = e.Time; e.Object == "Machine/shop/web-0" {
			now = now.Add(14 * time.Second)
			v.tick()
			v.tick()
		}
	}
	want := `00:00 Planned: checking the plan
00:01 Pausing: pausing in the source, until every controller has stopped
00:16 Pausing: 0 of 2 objects have reacted
00:16   Cluster/shop/web: Busy no Paused yet (for 15s)
00:16   Machine/shop/web-0: Busy block-move (for 14s)
00:04 Pausing: the server is gone for a moment
00:20 Creating: creating objects in the target
00:22 Creating step 1 of 2 300/300
00:30 Done: done
`
	if out.String() != want {
		t.Errorf("have\n%s\nwant\n%s", out.String(), want)
	}
}

func TestLogsAreShort(t *testing.T) {
	var out bytes.Buffer
	now := start.Add(time.Minute)
	v := &logView{out: &out, began: start, now: func() time.Time { return now }}
	for i := range 1000 {
		v.event(move.Event{Time: start, Phase: move.Pausing, Object: fmt.Sprintf("Machine/shop/m-%d", i), Message: "Busy x", Pause: &pause.Object{State: pause.Busy}})
	}
	v.tick()
	if n := strings.Count(out.String(), "\n"); n != 8 || !strings.Contains(out.String(), "and 995 other objects") {
		t.Errorf("have %d lines:\n%s", n, out.String())
	}
}

func TestFrames(t *testing.T) {
	now := start
	v := &liveView{style: terminal.Style{UTF8: true}, began: start, now: func() time.Time { return now }}
	all := events()
	for _, e := range all[:6] {
		v.event(e)
	}
	now = start.Add(10 * time.Second)
	want := `10s  Planned > pausing in the source, until every controller has stopped
Pausing: the server is gone for a moment
1 of 2 objects have reacted
    8s  Machine/shop/web-0: Busy block-move`
	if have := v.frame(100, 20); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
	for _, e := range all[6:9] {
		v.event(e)
	}
	want = "10s  Planned > Pausing > creating objects in the target\nCreating step 1 of 2 200/300\n" + strings.Repeat("█", 40) + strings.Repeat("░", 20)
	if have := v.frame(100, 20); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
	for i := range 100 {
		v.event(move.Event{Time: now, Phase: move.Unpausing, Object: fmt.Sprintf("Machine/shop/%s-%d", strings.Repeat("long", 100), i), Message: "Busy x", Pause: &pause.Object{State: pause.Busy}})
	}
	for _, size := range [][2]int{{1, 1}, {10, 3}, {80, 24}} {
		lines := strings.Split(v.frame(size[0], size[1]), "\n")
		if len(lines) > size[1] {
			t.Errorf("have %d lines, want at most %d", len(lines), size[1])
		}
		for _, l := range lines {
			if n := len([]rune(l)); n > size[0] {
				t.Errorf("have a line of %d characters, want at most %d: %s", n, size[0], l)
			}
		}
	}
}

// newCommand returns a command with its outputs.
func newCommand(args ...string) (run func() error, c *bytes.Buffer) {
	var out bytes.Buffer
	env := cli.Env{Out: &out, Err: &out, Now: func() time.Time { return start }}
	cmd := New(env, genericclioptions.NewConfigFlags(true), "kstatus")
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	return cmd.Execute, &out
}

func TestUsage(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(broken, []byte(`{"v":1,"type":"plan","plan":{"items":[null]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"":                                      "want a target",
		"x":                                     `unknown command "x"`,
		"resum":                                 "did you mean resume?",
		"--to-context a --to-directory b":       "--to-directory cannot be used with --to-kubeconfig",
		"--from-directory a --to-directory b":   "cannot be used with --from-directory",
		"--from-directory a --to-context b -A":  "--from-directory reads the whole folder",
		"--to-context a --cluster b -l c":       "--cluster cannot be used with -A and -l",
		"--to-context a --cluster b,":           "want words",
		"--to-context a -l a=(":                 "-l",
		"--to-context a --concurrency 0":        "--concurrency 0",
		"--to-context a --timeout -1s":          "want a duration",
		"--to-context a -o yaml":                `-o "yaml"`,
		"--to-context a --progress live":        "want a terminal",
		"--to-context a --report html":          "want FORMAT=FILE",
		"--to-context a --carry-status Machine": "want KIND.GROUP",
		"--to-context a --plan absent.json":     "--plan",
		"--to-context a --plan " + broken:       "want a plan of kstatus capi move",
		"resume --to-context a":                 "want the journal",
		"resume --journal a":                    "want a target",
		"rollback --journal-namespace a":        "requires --id",
		"status":                                "want the journal",
		"status a":                              "unknown command",
	} {
		run, _ := newCommand(strings.Fields(args)...)
		err := run()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have error %v, want %s", args, err, want)
		}
	}
}

// The flag that a plan prints accepts its problem.
func TestPrintedFlagsAccept(t *testing.T) {
	for _, p := range []plan.Problem{
		{Object: "Machine.cluster.x-k8s.io shop/web-0", Accept: "not-ready"},
		{Object: "Secret vault/token", Accept: "foreign-secret=vault/token"},
	} {
		p.Severity = severity.Error
		var out bytes.Buffer
		if err := (table{}).write(&out, testPlan(), []plan.Problem{p}); err != nil {
			t.Fatal(err)
		}
		_, words, _ := strings.Cut(out.String(), "to move in spite of it: ")
		cmd := New(cli.Env{}, genericclioptions.NewConfigFlags(true), "kstatus")
		if err := cmd.ParseFlags(strings.Fields(words)); err != nil {
			t.Fatal(err)
		}
		accept, _ := cmd.Flags().GetStringSlice("accept")
		s := &session{command: &command{work: workFlags{accept: accept}}}
		if n := s.blocking([]plan.Problem{p}); n > 0 {
			t.Errorf("%q does not accept %s", words, p.Accept)
		}
		s.work.accept = []string{"foreign-secret"}
		if n := s.blocking([]plan.Problem{p}); n != 1 {
			t.Errorf("%q accepts %s", s.work.accept, p.Accept)
		}
	}
}

func TestPlanFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plan.json")
	if err := writePlan(file, testPlan()); err != nil {
		t.Fatal(err)
	}
	c := &command{plan: file}
	earlier, err := c.earlierPlan()
	if err != nil {
		t.Fatal(err)
	}
	if lines := changes(earlier, testPlan()); len(lines) > 0 {
		t.Errorf("have the changes %q, want none", lines)
	}
	now := testPlan()
	now.Target, now.Items[3].Decision = "https://newer", plan.Copy
	lines := changes(earlier, now)
	if len(lines) != 2 || lines[0] != "the target was https://new, and is https://newer" || !strings.Contains(lines[1], "Move, now Copy") {
		t.Errorf("have the changes %q", lines)
	}
}

func TestEnds(t *testing.T) {
	done := &move.Result{ID: "a", Phase: move.Done, Plan: testPlan(), Moved: 4, Copied: 1, Kept: 1, Requests: 7, Began: start, Ended: start.Add(time.Minute)}
	stopped := *done
	stopped.Phase, stopped.Unacknowledged = move.Unpausing, []string{"Machine/shop/web-0"}
	for _, row := range []struct {
		it     string
		result *move.Result
		err    error
		code   exit.Code
		out    string
		error  []string
	}{
		{"a move that is done", done, nil, exit.OK, "Moved in 1m: 4 objects moved, 1 object with a copy in both clusters, 1 object kept in the source. 7 requests.\n", nil},
		{
			"a move that stops before deletions", nil, &move.InterruptedError{ID: "a", Phase: move.Creating, Err: errors.New("refused")}, exit.Failed, "",
			[]string{"refused", "to continue: kstatus capi move resume --to-context 'b c' --journal j.json", "to undo it: kstatus capi move rollback --to-context 'b c' --journal j.json"},
		},
		{
			"a move that stops at the end", &stopped, &move.InterruptedError{ID: "a", Phase: move.Unpausing, Err: &move.UnacknowledgedError{What: "unpaused"}}, exit.Timeout,
			"Stopped while unpausing, after 1m.\nNot reported yet since the end of the pause:\n  Machine/shop/web-0\n", []string{"to continue: kstatus capi move resume"},
		},
		{"a problem", nil, &move.BlockedError{Problems: testPlan().Problems}, exit.Findings, "error: Machine.cluster.x-k8s.io shop/web-0: it has no Node; wait for it [not-ready]\n", []string{"1 problem prevents the move; nothing was changed"}},
		{
			"a problem that arises during the move", nil, &move.InterruptedError{ID: "a", Phase: move.Verifying, Err: &move.BlockedError{Problems: testPlan().Problems}}, exit.Failed, "",
			[]string{"move a stopped while verifying: 1 problem in the way of the move", "it has no Node", "to undo it: kstatus capi move rollback"},
		},
		{"an unknown error", nil, errors.New("broken"), exit.Uncertain, "error: Machine", []string{"broken"}},
		{"a timeout", nil, fmt.Errorf("list: %w", context.DeadlineExceeded), exit.Timeout, "error: Machine", []string{"list: "}},
	} {
		t.Run(row.it, func(t *testing.T) {
			var out bytes.Buffer
			dir := t.TempDir()
			c := &command{env: cli.Env{Out: &out, Err: &out, Now: func() time.Time { return start.Add(time.Minute) }}, connection: genericclioptions.NewConfigFlags(true), name: "kstatus"}
			c.sides.toContext, c.output.format = "b c", formatText
			s := &session{command: c, ctx: t.Context(), view: none{}, options: move.Options{Journal: "j.json"}}
			for _, format := range []string{"junit", "json", "md", "html"} {
				s.reports = append(s.reports, reportfile.Request{Format: format, File: filepath.Join(dir, format)})
			}
			s.outcome = outcome{V: 1, Type: "move", began: start, ID: "a", Journal: "j.json", Plan: testPlan(), Problems: testPlan().Problems, Result: row.result}
			if row.err == nil {
				s.outcome.Problems = nil
			}
			err := s.finish(row.err)
			if code := exit.CodeOf(err); code != row.code {
				t.Errorf("have exit code %d, want %d", code, row.code)
			}
			if !strings.HasPrefix(out.String(), row.out) {
				t.Errorf("have\n%s\nwant\n%s", out.String(), row.out)
			}
			for _, part := range row.error {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("have error %q, want %q in it", err, part)
				}
			}
			for _, r := range s.reports {
				content, err := os.ReadFile(r.File)
				for _, part := range []string{"web-0", "kstatus capi move"} {
					if err != nil || !bytes.Contains(content, []byte(part)) {
						t.Errorf("report %s has %d bytes and error %v, want %s in it", r.Format, len(content), err, part)
					}
				}
			}
		})
	}
}

// A report has problems that are about no object of the plan.
func TestReportsHaveAllProblems(t *testing.T) {
	o := outcome{began: start, ended: start, Plan: testPlan(), Outcome: "findings", ExitCode: 7, Error: "1 problem prevents the move"}
	o.Problems = []plan.Problem{{Check: "permissions", Severity: severity.Error, Message: "no permission to create Machines"}}
	if have := o.run(nil).Result.Error; !strings.Contains(have, "1 problem prevents the move") || !strings.Contains(have, "no permission to create Machines") {
		t.Errorf("have error %q", have)
	}
}

func TestStatusLines(t *testing.T) {
	s := &move.Status{
		ID: "a", Phase: move.Deleting, Step: 1, Began: start, Saved: start.Add(time.Minute), Source: "https://old", Target: "https://new",
		Failure: "one\ntwo\nthree", Plan: testPlan(),
	}
	want := `Move:      a
Phase:     Deleting: deleting the originals, step 2 of 3
Clusters:  shop/web, shop/api
Source:    https://old
Target:    https://new
Began:     2026-01-02T03:04:05Z
Saved:     2026-01-02T03:05:05Z
Objects:   move 4, copy 1, keep 1
Stopped:   one; and 2 other errors`
	if have := strings.Join(statusLines(s), "\n"); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

func TestCommandTextIsSafe(t *testing.T) {
	have := "kubectl kstatus " + cli.CommandText([]string{"capi", "it's", "$(rm)", "a b", "--journal", "kstatus-move-1.json"})
	if want := `kubectl kstatus capi 'it'\''s' '$(rm)' 'a b' --journal kstatus-move-1.json`; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

// Only an event with a state is about the reaction of a controller, whatever its text says.
func TestWaitingListReadsNoText(t *testing.T) {
	var l waitingList
	if l.add(move.Event{Object: "Machine/shop/web-0", Message: "Busy is its name"}) || len(l.busy) != 0 {
		t.Errorf("a text counts as the state of a controller: %v", l.busy)
	}
	if !l.add(move.Event{Object: "Machine/shop/web-0", Message: "it waits", Pause: &pause.Object{State: pause.Busy}}) || len(l.busy) != 1 {
		t.Errorf("a state does not count: %v", l.busy)
	}
}
