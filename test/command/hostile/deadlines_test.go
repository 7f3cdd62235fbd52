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

// An endlessAnswer answers requests, and knows which come after a deadline has ended one.
type endlessAnswer struct {
	send func(w http.ResponseWriter, r *http.Request)

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

func endlessAnswers() map[string]func(http.ResponseWriter, *http.Request) {
	slowly := func(w http.ResponseWriter, r *http.Request, text string) {
		w.Header().Set("Content-Type", "application/json")
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(text)); err != nil {
				break
			}
			flush(w)
			select {
			case <-r.Context().Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
		<-r.Context().Done()
	}
	return map[string]func(http.ResponseWriter, *http.Request){
		"no answer":             func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"an answer in bytes":    func(w http.ResponseWriter, r *http.Request) { slowly(w, r, " ") },
		"slow megabytes":        func(w http.ResponseWriter, r *http.Request) { slowly(w, r, strings.Repeat(" ", 1<<20)) },
		"429 with a long delay": busy(http.StatusTooManyRequests),
		"503 with a long delay": busy(http.StatusServiceUnavailable),
	}
}

func busy(code int) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "999999")
		fail(w, code, "TooManyRequests", "wait", nil)
	}
}

// Each command ends at its deadline, whatever the server does. After the timeout of a request it sends
// no further one.
// With -v, the test prints how long each takes.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	limit := "--request-timeout=" + requestTimeout.String()
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
		{args: "get pods " + limit},
		{args: "get all -A " + limit},
		{args: "get pod/ok --tree " + limit},
		{args: "explain pod/ok " + limit},
		{args: "explain pods " + limit},
		{args: "lint --live " + limit},
		{args: limit},
	} {
		for it, send := range endlessAnswers() {
			t.Run(command.args+"/"+it, func(t *testing.T) {
				t.Parallel()
				s := serve(t)
				e := &endlessAnswer{send: send, first: make(chan struct{})}
				s.hook = e.answer
				args := append(strings.Fields(command.args), "--kubeconfig", s.kubeconfig(), "--cache-dir", t.TempDir())
				ctx, cancel := context.WithTimeout(t.Context(), maxWall)
				defer cancel()
				cmd := exec.CommandContext(ctx, binary, args...)
				cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "GITHUB_ACTIONS=", "CI=")
				var out strings.Builder
				cmd.Stdout, cmd.Stderr = &out, &out
				began := time.Now()
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if command.signal {
					<-e.first
					began = time.Now()
					if err := cmd.Process.Signal(os.Interrupt); err != nil {
						t.Fatal(err)
					}
				}
				_ = cmd.Wait() // the state has the exit code
				used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				t.Logf("| %s | %s | %.1f s | %.1f s of a processor | %d requests |", command.args, it, time.Since(began).Seconds(), used.Seconds(), len(s.log()))
				if ctx.Err() != nil {
					t.Fatalf("the command does not end:\n%s", &out)
				}
				if wrong := endedWrongly(cmd.ProcessState, command.signal); wrong {
					t.Errorf("have %s\n%s", cmd.ProcessState, &out)
				}
				e.mu.Lock()
				defer e.mu.Unlock()
				if len(e.late) > 0 && strings.Contains(command.args, limit) {
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
