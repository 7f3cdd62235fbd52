package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/observe"
	"kstatus.dev/test/bench"
)

// Each contender is measured in its own child process of this program. Parent and child
// exchange lines of JSON: a job, then orders, each with a report as its response.

// A job describes what a child follows, and as which contender.
type job struct {
	Contender string
	Host      string
	Token     string
	Authority []byte
	Targets   []observe.Target
	Profiles  string // the folder for CPU and heap profiles; empty: none
}

// An instruction is what a child does before it reports.
type instruction struct {
	Do         string // start, sync, reach, quiet or rest
	Generation int64  // for reach
	Seconds    float64
}

// A report is the response of a child to an order.
type report struct {
	bench.Usage
	At     time.Time // when the order was fulfilled
	Behind int       // number of targets that had not reached the order's state at its timeout
	Heard  int       // number of updates so far
	Err    string
}

// serve runs the child. It returns at the end of its input.
func serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	decoder, encoder := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(out)
	var j job
	if err := decoder.Decode(&j); err != nil {
		return err
	}
	if j.Profiles != "" {
		runtime.MemProfileRate = 4 << 10 // small allocations matter here
	}
	who, err := contenderOf(j.Contender)
	if err != nil {
		return err
	}
	var meter bench.Meter
	config := meter.On(&rest.Config{Host: j.Host, BearerToken: j.Token, TLSClientConfig: rest.TLSClientConfig{CAData: j.Authority}})
	t := newTracker(j.Targets)
	ended := make(chan error, 1)
	for {
		var o instruction
		if decoder.Decode(&o) != nil {
			return nil
		}
		if o.Do == "start" {
			r := report{Usage: meter.Usage(), At: time.Now()}
			if j.Profiles != "" {
				end, err := profile(j)
				if err != nil {
					return err
				}
				defer end()
			}
			go func() { ended <- who.follow(ctx, config, j.Targets, t.add) }()
			if err := encoder.Encode(r); err != nil {
				return err
			}
			continue
		}
		r := execute(ctx, o, t, &meter, ended)
		r.Usage = meter.Usage()
		if err := encoder.Encode(r); err != nil {
			return err
		}
	}
}

// profile starts a CPU profile. Its end also writes a heap profile.
func profile(j job) (end func(), err error) {
	name := filepath.Join(j.Profiles, strings.ReplaceAll(j.Contender, " ", "-"))
	cpu, err := os.Create(name + ".cpu.pprof")
	if err != nil {
		return nil, err
	}
	heap, err := os.Create(name + ".heap.pprof")
	if err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		runtime.GC()
		_ = pprof.WriteHeapProfile(heap)
		_, _ = cpu.Close(), heap.Close()
	}, pprof.StartCPUProfile(cpu)
}

// execute waits until the order is fulfilled, or until its timeout. A poller is never quiet, so
// for a poller the wait for a rest only lasts its time.
func execute(ctx context.Context, o instruction, t *tracker, meter *bench.Meter, ended <-chan error) (r report) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	over := time.After(time.Duration(o.Seconds * float64(time.Second)))
	var reached <-chan struct{}
	switch o.Do {
	case "sync":
		reached = t.reached(notCurrent)
	case "reach":
		reached = t.reached(o.Generation)
	case "quiet", "rest":
		reached = waitForQuiet(ctx, meter)
	}
	select {
	case <-reached:
	case <-over:
		if o.Do != "rest" {
			r.Err = "the time was over"
		}
	case err := <-ended:
		r.Err = fmt.Sprintf("it ended by itself: %v", err)
	}
	r.At = time.Now()
	r.Behind, r.Heard = t.count()
	return r
}

// quietPeriod is the time without updates after which a contender is quiet.
const quietPeriod = time.Second

// waitForQuiet returns a channel that is closed after a period without updates.
func waitForQuiet(ctx context.Context, meter *bench.Meter) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for last, since := meter.Received(), time.Now(); time.Since(since) < quietPeriod && ctx.Err() == nil; time.Sleep(quietPeriod / 10) { // a contender reports no state that shows its rest
			if now := meter.Received(); now != last {
				last, since = now, time.Now()
			}
		}
	}()
	return done
}

// restInstruction is an order to wait until the child is quiet, or to let a poller run for a while.
func restInstruction() instruction { return instruction{Do: "rest", Seconds: 5} }

// A child is a process that runs one contender.
type child struct {
	contender string
	cmd       *exec.Cmd
	in        io.WriteCloser
	out       *json.Decoder
}

// spawn starts a child and sends it its job. The child is idle until its first order.
func spawn(ctx context.Context, j job) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{contender: j.Contender, cmd: exec.CommandContext(ctx, self, "child")}
	c.cmd.Stderr = os.Stderr
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = json.NewDecoder(out)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	return c, json.NewEncoder(c.in).Encode(j)
}

// ask sends an order and waits for the report.
func (c *child) ask(o instruction) (r report, err error) {
	if err := json.NewEncoder(c.in).Encode(o); err != nil {
		return r, fmt.Errorf("%s: %w", c.contender, err)
	}
	if err := c.out.Decode(&r); err != nil {
		return r, fmt.Errorf("%s: %s: %w", c.contender, o.Do, err)
	}
	return r, nil
}

// end closes the input of the child and waits for its exit.
func (c *child) end() {
	c.in.Close()
	kill := time.AfterFunc(10*time.Second, func() { _ = c.cmd.Process.Kill() })
	defer kill.Stop()
	_ = c.cmd.Wait()
}
