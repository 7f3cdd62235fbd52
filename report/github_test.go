package report

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"kstatus.dev/internal/annotation"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A workflowCommand is a command as GitHub's runner parses it.
type workflowCommand struct {
	name, message string
	properties    map[string]string
}

// readCommand parses a line by the documentation of workflow commands: "::name
// parameter1={data},parameter2={data}::{value}". It has the escapes of
// github.com/actions/toolkit.
func readCommand(line string) (c workflowCommand, err error) {
	head, message, ok := strings.Cut(strings.TrimPrefix(line, "::"), "::")
	if !ok || !strings.HasPrefix(line, "::") {
		return c, fmt.Errorf("it is no command: %s", line)
	}
	c = workflowCommand{message: unescaped(message, "%0D", "\r", "%0A", "\n", "%25", "%"), properties: map[string]string{}}
	name, properties, _ := strings.Cut(head, " ")
	c.name = name
	for part := range strings.SplitSeq(properties, ",") {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return c, fmt.Errorf("%q is no property: %s", part, line)
		}
		c.properties[key] = unescaped(value, "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	}
	return c, nil
}

func unescaped(text string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace(text)
}

func commandsOf(t *testing.T, r *Run, root, dir string) (all []workflowCommand) {
	t.Helper()
	var b bytes.Buffer
	if err := r.GitHub(&b, root, dir); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		c, err := readCommand(strings.TrimSuffix(line, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

func TestReadCommand(t *testing.T) {
	for _, text := range []string{"plain", "50%", "%0A", "%25", "a: b, c", "two\nlines", "::error::x", "title=a,file=b", "::"} {
		t.Run(text, func(t *testing.T) {
			want := workflowCommand{"error", text, map[string]string{"title": strings.ReplaceAll(text, "\n", ""), "file": "a,b:c%"}}
			line := strings.TrimSuffix(annotation.Command("error", text, "title", want.properties["title"], "file", "a,b:c%"), "\n")
			have, err := readCommand(line)
			if err != nil || have.name != want.name || have.message != want.message || !maps.Equal(have.properties, want.properties) {
				t.Errorf("%q is read as %+v, %v", line, have, err)
			}
		})
	}
}

// The annotation of a hostile object contains no other command.
func TestGitHubOfAHostileRun(t *testing.T) {
	for _, c := range commandsOf(t, hostileRun(), "", "/repo") {
		if c.name != "error" || len(c.properties) > 3 || len(c.properties["title"]) > 300 {
			t.Errorf("a command %+v", c)
		}
	}
}

// GitHub shows ten annotations of a kind. The report has the worst ten, and the number of the
// others.
func TestGitHubShowsTheWorst(t *testing.T) {
	var steps []step
	for i := range 30 {
		u := observe.Update{Target: target("", "Pod", "shop", fmt.Sprintf("web-%02d", i)), Progress: observe.ProgressPending}
		u.Result = status.Result{Status: status.InProgressStatus, Message: "not there"}
		if i == 29 {
			u.Progress, u.Result = observe.ProgressFailed, status.Result{Status: status.FailedStatus, Failure: status.FailureTerminal, Message: "broken"}
		}
		steps = append(steps, step{time.Second, u})
	}
	r, b := recordSteps(Start{Time: began}, nil, steps...)
	r.End(b, Result{Time: timeAt(time.Minute), Outcome: "timeout", ExitCode: 4})
	all := commandsOf(t, r, "", "")
	if len(all) != 11 || all[0].message != "Failed: broken" || all[10].name != "notice" || !strings.HasPrefix(all[10].message, "20 more objects") {
		t.Errorf("%d commands: %+v", len(all), all)
	}
}

func TestFileInTheWorkspace(t *testing.T) {
	if have := workspaceFile(&Source{File: "overlays/prod"}, "/repo", "/repo"); have != "" {
		t.Errorf("a folder is told as %q", have)
	}
	for _, c := range []struct {
		it, root, dir, file, want string
	}{
		{"is relative to the workspace", "/repo", "/repo/shop", "deploy/api.yaml", "shop/deploy/api.yaml"},
		{"may be absolute", "/repo", "/elsewhere", "/repo/deploy/api.yaml", "deploy/api.yaml"},
		{"may be above the folder", "/repo", "/repo/shop", "../api.yaml", "api.yaml"},
		{"is empty outside the workspace", "/repo", "/repo", "../api.yaml", ""},
		{"is empty for an unrelated path", "/repo", "/repo", "/etc/api.yaml", ""},
		{"is empty for standard input", "/repo", "/repo", "-", ""},
		{"is empty for a URL", "/repo", "/repo", "https://example.com/api.yaml", ""},
	} {
		t.Run(c.it, func(t *testing.T) {
			if have := workspaceFile(&Source{c.file, 1}, c.root, c.dir); have != c.want {
				t.Errorf("have %q, want %q", have, c.want)
			}
		})
	}
}
