// Package process runs programs for tests. A program ends with the process that started it, whatever
// ends that.
package process

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// defaultGrace is how long a program may take to exit after a signal.
const defaultGrace = 15 * time.Second

// Process is one program: its command line, and its current run. Its output goes to a file, which all
// its runs share.
type Process struct {
	Name  string
	Path  string
	Args  []string
	Env   []string      // in addition to that of this process
	Log   string        // path of the file
	Tell  io.Writer     // receives messages about unexpected exits
	Grace time.Duration // how long it may take to exit; zero means 15 seconds

	mu  sync.Mutex // guards run
	run *run
}

// run is one run of a program.
type run struct {
	pid    int
	cmd    *exec.Cmd
	wanted chan struct{} // closed before we stop it ourselves
	ended  chan struct{} // closed when it has exited
	err    error         // its exit error; read after ended is closed
	once   sync.Once
}

// Start starts the program. It ends with this process, however this process ends.
func (p *Process) Start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run != nil && p.run.isRunning() {
		return fmt.Errorf("%s is running already, as process %d", p.Name, p.run.pid)
	}
	out, err := os.OpenFile(p.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	cmd := exec.Command(p.Path, p.Args...)
	cmd.Env = append(os.Environ(), p.Env...)
	cmd.Stdout, cmd.Stderr = out, out
	r := &run{cmd: cmd, wanted: make(chan struct{}), ended: make(chan struct{})}
	started := make(chan error)
	go func() {
		// Linux ends a guarded child when the thread that started it ends. This goroutine keeps
		// its thread until the child has exited.
		runtime.LockOSThread()
		release, err := startBound(cmd)
		started <- err
		if err != nil {
			return
		}
		r.err = cmd.Wait()
		release()
		close(r.ended)
		p.reportExit(r)
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("starting %s: %w", p.Name, err)
	}
	r.pid = cmd.Process.Pid
	p.run = r
	return nil
}

// reportExit reports an unexpected exit, with the last log lines of the program.
func (p *Process) reportExit(r *run) {
	select {
	case <-r.wanted:
	default:
		fmt.Fprintf(p.Tell, "cluster: %s ended by itself (%s); the end of %s:\n%s\n", p.Name, r.exitText(), p.Log, p.Tail())
	}
}

// Stop ends the program and waits for its exit. It sends a signal to terminate first, unless
// now is set. A suspended program continues, so that it can handle the signal.
func (p *Process) Stop(now bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.run
	if r == nil || !r.isRunning() {
		return nil
	}
	r.once.Do(func() { close(r.wanted) })
	grace := cmp.Or(p.Grace, defaultGrace)
	if !now {
		if err := errors.Join(interrupt(r.cmd), resume(r.cmd)); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("ending %s: %w", p.Name, err)
		}
		select {
		case <-r.ended:
			return nil
		case <-time.After(grace):
		}
	}
	if err := kill(r.cmd); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("killing %s: %w", p.Name, err)
	}
	select {
	case <-r.ended:
		return nil
	case <-time.After(grace):
		return fmt.Errorf("%s, process %d, does not end", p.Name, r.pid)
	}
}

// Pid returns the process ID of the program, and 0 while it does not run.
func (p *Process) Pid() int {
	r := p.current()
	if r == nil || !r.isRunning() {
		return 0
	}
	return r.pid
}

// Exit describes how the last run ended. It is empty while the program runs and before its first run.
func (p *Process) Exit() string {
	r := p.current()
	if r == nil || r.isRunning() {
		return ""
	}
	return r.exitText()
}

// Suspend stops the program without ending it, until Resume.
func (p *Process) Suspend() error { return p.signal(suspend) }

// Resume continues a program after Suspend.
func (p *Process) Resume() error { return p.signal(resume) }

func (p *Process) signal(send func(*exec.Cmd) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run == nil || !p.run.isRunning() {
		return fmt.Errorf("%s does not run", p.Name)
	}
	return send(p.run.cmd)
}

// current returns the current run, nil before the first.
func (p *Process) current() *run {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.run
}

func (r *run) isRunning() bool {
	select {
	case <-r.ended:
		return false
	default:
		return true
	}
}

// exitText describes how a run ended.
func (r *run) exitText() string {
	if r.err == nil {
		return "exit status 0"
	}
	return r.err.Error()
}

// Tail returns the end of the program's log.
func (p *Process) Tail() string {
	data, err := os.ReadFile(p.Log)
	if err != nil {
		return err.Error()
	}
	return LastLines(string(data), 20)
}

// LastLines returns the last n lines of a text, indented.
func LastLines(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return "\t" + strings.Join(lines, "\n\t")
}
