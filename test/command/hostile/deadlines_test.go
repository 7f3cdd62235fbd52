package hostile

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// requestTimeout is the deadline of the commands in TestDeadlines.
const requestTimeout = 3 * time.Second

// maxWall is the longest time that a command may take. A command that waits for a second deadline, for
// client-go's own timeout of 32 s, or as long as a server says, takes longer. One that ends at its
// deadline does not, on a busy machine either.
const maxWall = 25 * time.Second

// maxLate is how long after its deadline a command may end on an idle machine. maxProcessor is how
// much of a processor it may use for its start and its end.
const (
	maxLate      = time.Second
	maxProcessor = 3 * time.Second
)

// controlTime returns how long the command takes for nothing, which depends on the load of the
// machine.
func controlTime(t *testing.T) time.Duration {
	t.Helper()
	began := time.Now()
	if code, out := kstatus(t, "version"); code != 0 {
		t.Fatalf("have %d\n%s", code, out)
	}
	return time.Since(began)
}

// An endlessAnswer answers requests, and knows which come after a deadline has ended one.
type endlessAnswer struct {
	send func(w http.ResponseWriter, r *http.Request)
	to   func(r *http.Request) bool // the requests that it answers; nil: all

	mu    sync.Mutex // guards the fields below
	first chan struct{}
	ended bool
	late  []string
}

// answer is the hook of a server.
func (e *endlessAnswer) answer(w http.ResponseWriter, r *http.Request) bool {
	e.mu.Lock()
	if e.ended {
		e.late = append(e.late, r.URL.Path)
	}
	if e.to != nil && !e.to(r) {
		e.mu.Unlock()
		return false
	}
	select {
	case <-e.first:
	default:
		close(e.first)
	}
	e.mu.Unlock()
	e.send(w, r)
	if r.Context().Err() != nil { // the command has closed the connection
		e.mu.Lock()
		e.ended = true
		e.mu.Unlock()
	}
	return true
}

// Each command ends at its deadline, whatever the server does. After the timeout of a request it sends
// no further one.
// With -v, the test prints how long each takes.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	limit := "--request-timeout=" + requestTimeout.String()
	control := controlTime(t)
	for _, command := range []struct {
		args   string
		signal bool // end it with SIGINT during its first request
	}{
		{args: "wait pod/ok --timeout " + requestTimeout.String()},
		{args: "wait pods --explain none --timeout " + requestTimeout.String()},
		{args: "wait pod/ok --timeout 1h", signal: true},
		{args: "get pods --watch", signal: true},
		{args: "get pods", signal: true},
		{args: "explain pod/ok", signal: true},
		{args: "audit pods --for 1h", signal: true},
		{args: "capi check --live", signal: true},
		{args: "capi move --dry-run --to-directory none", signal: true},
		{args: "capi move --dry-run --to-directory none --timeout " + requestTimeout.String()},
		{args: "rbac -- wait all", signal: true},
		{args: "rbac -- capi move", signal: true},
		{args: "rbac -- wait all " + limit},
		{args: "capi check --live " + limit},
		{args: "get pods " + limit},
		{args: "get all -A " + limit},
		{args: "get pod/ok --tree " + limit},
		{args: "explain pod/ok " + limit},
		{args: "explain pods " + limit},
		{args: "lint --live " + limit},
		{args: limit},
	} {
		for _, c := range deadlineCases() {
			if c.it == manyGroups && strings.Contains(command.args, limit) {
				continue // each request is answered in time
			}
			t.Run(command.args+"/"+c.it, func(t *testing.T) {
				t.Parallel()
				s := serve(t)
				e := &endlessAnswer{send: c.send, to: c.to, first: make(chan struct{})}
				s.hook = e.answer
				args := append(strings.Fields(command.args), "--kubeconfig", s.kubeconfig(), "--cache-dir", t.TempDir())
				ctx, cancel := context.WithTimeout(t.Context(), maxWall)
				defer cancel()
				cmd := exec.CommandContext(ctx, binary, args...)
				cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "GITHUB_ACTIONS=", "CI=")
				var out strings.Builder
				cmd.Stdout, cmd.Stderr = &out, &out
				deadline, before := time.Now().Add(requestTimeout), time.Duration(0)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					_ = cmd.Wait() // the state has the exit code
				}()
				select {
				case <-e.first:
				case <-ended: // it has sent no such request
					return
				}
				if command.signal {
					deadline, before = time.Now(), processorTime(cmd.Process)
					_ = cmd.Process.Signal(os.Interrupt) // the command may have ended
				}
				<-ended
				late, used := time.Since(deadline), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()-before
				t.Logf("| %s | %s | %.1f s late | %.2f s of a processor | %d requests |", command.args, c.it, late.Seconds(), used.Seconds(), len(s.log()))
				if ctx.Err() != nil {
					t.Fatalf("the command does not end:\n%s", &out)
				}
				if most := maxLate + 10*control; late > most {
					t.Errorf("the command ends %s after its deadline, want %s at most", late, most)
				}
				if used > maxProcessor {
					t.Errorf("the command uses %s of a processor", used)
				}
				succeeds := c.maySucceed && cmd.ProcessState.ExitCode() == 0
				if wrong := endedWrongly(cmd.ProcessState, command.signal); wrong && !succeeds {
					t.Errorf("have %s\n%s", cmd.ProcessState, &out)
				}
				e.mu.Lock()
				defer e.mu.Unlock()
				if len(e.late) > 0 && !c.maySucceed && strings.Contains(command.args, limit) {
					t.Errorf("after the deadline the command requests %q", slices.Compact(e.late))
				}
			})
		}
	}
}

// endedWrongly reports whether a command has succeeded or has crashed, or not ended by its signal.
func endedWrongly(p *os.ProcessState, signaled bool) bool {
	if signaled {
		status, ok := p.Sys().(syscall.WaitStatus)
		return p.ExitCode() != 130 && (!ok || !status.Signaled() || status.Signal() != syscall.SIGINT)
	}
	return p.ExitCode() == 0 || p.ExitCode() == 2 || p.ExitCode() == -1
}
