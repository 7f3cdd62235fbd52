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

// Each contender is measured in a process of its own, which this program
// starts from itself. The two talk in lines of JSON: a job, then orders, each
// answered by a report.

// A job is what a child is to follow, and as whom.
type job struct {
	Contender string
	Host      string
	Token     string
	Authority []byte
	Targets   []observe.Target
	Profiles  string // the folder for profiles of the processor and the heap; empty: none
}

// An order is what a child is to do before it reports.
type order struct {
	Do         string // start, sync, reach, quiet or rest
	Generation int64  // for reach
	Seconds    float64
}

// A report is what a child has come to.
type report struct {
	bench.Usage
	At     time.Time // when what was ordered had come
	Behind int       // how many targets were not there by then; the time was over
	Heard  int       // how many news there have been
	Err    string
}

// serve is the child. It ends with its input.
func serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	decoder, encoder := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(out)
	var j job
	if err := decoder.Decode(&j); err != nil {
		return err
	}
	if j.Profiles != "" {
		runtime.MemProfileRate = 4 << 10 // small things count here
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
		var o order
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
			go func() { ended <- who.follow(ctx, config, j.Targets, t.hear) }()
			if err := encoder.Encode(r); err != nil {
				return err
			}
			continue
		}
		r := obey(ctx, o, t, &meter, ended)
		r.Usage = meter.Usage()
		if err := encoder.Encode(r); err != nil {
			return err
		}
	}
}

// profile begins a profile of the processor. Its end writes one of the heap as well.
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

// obey waits for what was ordered, for as long as was ordered. One who polls
// has no rest, so that there it is enough to have waited.
func obey(ctx context.Context, o order, t *tracker, meter *bench.Meter, ended <-chan error) (r report) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	over := time.After(time.Duration(o.Seconds * float64(time.Second)))
	var reached <-chan struct{}
	switch o.Do {
	case "sync":
		reached = t.reach(notCurrent)
	case "reach":
		reached = t.reach(o.Generation)
	case "quiet", "rest":
		reached = quiet(ctx, meter)
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

// silence is for how long nothing must come for it to be quiet.
const silence = time.Second

// quiet returns a channel that is closed when nothing has come for a while.
func quiet(ctx context.Context, meter *bench.Meter) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for last, since := meter.Received(), time.Now(); time.Since(since) < silence && ctx.Err() == nil; time.Sleep(silence / 10) {
			if now := meter.Received(); now != last {
				last, since = now, time.Now()
			}
		}
	}()
	return done
}

// aRest is an order to be quiet for a moment, or to let one who polls go on for a while.
func aRest() order { return order{Do: "rest", Seconds: 5} }

// A child is a process that follows as a contender.
type child struct {
	contender string
	cmd       *exec.Cmd
	in        io.WriteCloser
	out       *json.Decoder
}

// spawn starts a child and gives it its job. It has nothing to do until ordered.
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

// ask gives an order and waits for the report.
func (c *child) ask(o order) (r report, err error) {
	if err := json.NewEncoder(c.in).Encode(o); err != nil {
		return r, fmt.Errorf("%s: %w", c.contender, err)
	}
	if err := c.out.Decode(&r); err != nil {
		return r, fmt.Errorf("%s: %s: %w", c.contender, o.Do, err)
	}
	return r, nil
}

// end ends the child, which ends with its input.
func (c *child) end() {
	c.in.Close()
	kill := time.AfterFunc(10*time.Second, func() { _ = c.cmd.Process.Kill() })
	defer kill.Stop()
	_ = c.cmd.Wait()
}
