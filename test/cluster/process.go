package cluster

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

// process is one program of the cluster: its command line, and its current run. Its output goes
// to a file of its own, which all its runs share.
type process struct {
	name  Program
	path  string
	args  []string
	env   []string
	log   string        // path of the file
	tell  io.Writer     // receives messages about unexpected exits
	grace time.Duration // how long it may take to exit; zero means defaultGrace

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

// start starts the program. It ends with this process, however this process ends: see guard.
func (p *process) start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run != nil && p.run.isRunning() {
		return fmt.Errorf("%s is running already, as process %d", p.name, p.run.pid)
	}
	out, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	cmd := exec.Command(p.path, p.args...)
	cmd.Env = append(os.Environ(), p.env...)
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
		return fmt.Errorf("starting %s: %w", p.name, err)
	}
	r.pid = cmd.Process.Pid
	p.run = r
	return nil
}

// reportExit reports an unexpected exit, with the last log lines of the program.
func (p *process) reportExit(r *run) {
	select {
	case <-r.wanted:
	default:
		fmt.Fprintf(p.tell, "cluster: %s ended by itself (%s); the end of %s:\n%s\n", p.name, r.exitText(), p.log, p.tail())
	}
}

// stop ends the program and waits for its exit. It sends a signal to terminate first, unless
// now is set.
func (p *process) stop(now bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.run
	if r == nil || !r.isRunning() {
		return nil
	}
	r.once.Do(func() { close(r.wanted) })
	grace := cmp.Or(p.grace, defaultGrace)
	if !now {
		if err := interrupt(r.cmd); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("ending %s: %w", p.name, err)
		}
		select {
		case <-r.ended:
			return nil
		case <-time.After(grace):
		}
	}
	if err := kill(r.cmd); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("killing %s: %w", p.name, err)
	}
	select {
	case <-r.ended:
		return nil
	case <-time.After(grace):
		return fmt.Errorf("%s, process %d, does not end", p.name, r.pid)
	}
}

// current returns the current run, nil before the first.
func (p *process) current() *run {
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

// tail returns the end of the program's log.
func (p *process) tail() string {
	data, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return lastLines(string(data), 20)
}

// lastLines returns the last n lines of a text, indented.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return "\t" + strings.Join(lines, "\n\t")
}
