// Command audit measures kstatus audit while the objects of a real cluster change at a fixed rate.
// It prints the processor time and the peak memory of its process. It also prints how long after
// the response to a write the write is reported, and whether all writes are. Then it replays the
// recorded stream twice. It exits with 1 if a write is missing, or if the three reports are not
// byte for byte the same.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/writes"
	"kstatus.dev/test/bench"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/poll"
)

func main() {
	o := options{}
	flag.StringVar(&o.binary, "kstatus", "bin/kstatus", "the command to measure")
	flag.IntVar(&o.objects, "objects", 1000, "how many objects")
	flag.IntVar(&o.rate, "rate", 1000, "how many writes a second")
	flag.DurationVar(&o.lasts, "for", time.Minute, "how long to write")
	flag.DurationVar(&o.stall, "stall", 10*time.Second, "for how long the process is stopped after that while writing goes on, to see how fast it catches up")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench audit:", err)
		os.Exit(1)
	}
}

type options struct {
	binary        string
	objects, rate int
	lasts, stall  time.Duration
}

func run(ctx context.Context, o options, out io.Writer) error {
	dir, err := os.MkdirTemp("", "kstatus-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, err := cluster.Start(ctx, cluster.Options{})
	if err != nil {
		return err
	}
	defer c.Stop()
	for _, p := range []cluster.Program{cluster.ControllerManager, cluster.Scheduler, cluster.Kwok} { // not needed here
		if err := c.Kill(p); err != nil {
			return err
		}
	}
	w, err := newWriter(ctx, c.Config(), o.objects)
	if err != nil {
		return err
	}
	stream := filepath.Join(dir, "stream.ndjson")
	live := start(o.binary, "audit", "lamps.bench.example.com", "-A", "--kubeconfig", c.Kubeconfig(), "--record", stream, "-o", "json", "--progress", "none")
	if live.err != nil {
		return live.err
	}
	if err := waitForObjects(ctx, stream, o.objects); err != nil {
		return err
	}
	began := time.Now()
	if err := w.write(ctx, o.rate, o.lasts); err != nil {
		return err
	}
	took, steady := time.Since(began), len(w.answered)
	if err := waitForLines(ctx, stream, o.objects+steady); err != nil {
		return err
	}
	if err := suspend(live.command.Process); err != nil {
		return err
	}
	if err := w.write(ctx, o.rate, o.stall); err != nil {
		return err
	}
	stalled := time.Now()
	if err := resume(live.command.Process); err != nil {
		return err
	}
	if err := waitForLines(ctx, stream, o.objects+len(w.answered)); err != nil {
		return err
	}
	if err := live.end(os.Interrupt); err != nil {
		return err
	}
	lags, caughtUp, missing, err := w.compare(stream, stalled)
	if err != nil {
		return err
	}
	size, err := os.Stat(stream)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d objects, %d writes in %s: %.0f a second (%d wanted); %.1f KB a write in the stream\n", o.objects, steady, took.Round(time.Millisecond),
		float64(steady)/took.Seconds(), o.rate, float64(size.Size())/float64(len(w.answered)+o.objects)/1000)
	fmt.Fprintf(out, "from the answer to a write until it is seen: median %s, p99 %s, most %s\n", percentile(lags, 50), percentile(lags, 99), percentile(lags, 100))
	fmt.Fprintf(out, "after it was stopped for %d writes, it saw them in %s: %.0f a second; %d writes missing in all\n\n", len(w.answered)-steady,
		caughtUp.Round(time.Millisecond), float64(len(w.answered)-steady)/caughtUp.Seconds(), missing)
	again := []*process{start(o.binary, "audit", "--from", stream, "-o", "json"), nil}
	if err := again[0].end(nil); err != nil {
		return err
	}
	again[1] = start(o.binary, "audit", "--from", stream, "-o", "json")
	if err := again[1].end(nil); err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\twall\tprocessor\tper write\tpeak memory\twrites a second\t")
	for i, p := range append([]*process{live}, again...) {
		name := []string{"live", "replay", "replay again"}[i]
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d MB\t%.0f\t\n", name, p.wall.Round(time.Millisecond), p.processor.Round(time.Millisecond),
			(p.processor / time.Duration(len(w.answered)+o.objects)).Round(time.Microsecond), p.peak>>20, float64(len(w.answered)+o.objects)/p.wall.Seconds())
	}
	if err := table.Flush(); err != nil {
		return err
	}
	switch {
	case missing > 0:
		return fmt.Errorf("%d writes are missing in the stream", missing)
	case !bytes.Equal(again[0].out.Bytes(), again[1].out.Bytes()):
		return fmt.Errorf("two replays differ")
	case !bytes.Equal(live.out.Bytes(), again[0].out.Bytes()):
		return fmt.Errorf("the replay differs from what was told live")
	}
	fmt.Fprintf(out, "\nthe three reports are the same, %d bytes\n", live.out.Len())
	return nil
}

// percentile returns a percentile.
func percentile(all []time.Duration, percent int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	return all[min(len(all)*percent/100, len(all)-1)].Round(100 * time.Microsecond)
}

// waitForObjects waits until the stream contains all objects.
func waitForObjects(ctx context.Context, stream string, objects int) error {
	return waitForText(ctx, stream, `"existing":true`, objects)
}

// waitForLines waits until the stream contains a number of writes. Fewer are a result of the
// benchmark, not its end.
func waitForLines(ctx context.Context, stream string, number int) error {
	err := waitForText(ctx, stream, `"resourceVersion":`, number)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// waitForText waits until the stream contains a text a number of times.
func waitForText(ctx context.Context, stream, text string, number int) error {
	ctx, stop := context.WithTimeout(ctx, poll.Patience)
	defer stop()
	return poll.Until(ctx, func() error {
		all, err := os.ReadFile(stream)
		if have := bytes.Count(all, []byte(text)); err == nil && have < number {
			err = fmt.Errorf("the stream has %d of %d lines with %s", have, number, text)
		}
		return err
	})
}

// compare returns three results. The first is the sorted delays between a response and the
// event of its version. The second is the delay of the last event after the stall. The third is
// the number of missing versions. Events after the stall had to wait for its end, so they do
// not count as delays.
func (w *writer) compare(stream string, stalled time.Time) (lags []time.Duration, caughtUp time.Duration, missing int, err error) {
	file, err := os.Open(stream)
	if err != nil {
		return nil, 0, 0, err
	}
	defer file.Close()
	seen := map[string]time.Time{}
	err = writes.Reader{}.Read(file, func(a audit.Write) {
		if meta, _ := a.Object["metadata"].(map[string]any); a.Type == audit.WriteModified {
			version, _ := meta["resourceVersion"].(string)
			seen[version] = a.Time
		}
	})
	for version, when := range w.answered {
		switch t, there := seen[version]; {
		case !there:
			missing++
		case t.Before(stalled):
			lags = append(lags, t.Sub(when))
		default:
			caughtUp = max(caughtUp, t.Sub(stalled))
		}
	}
	slices.Sort(lags)
	return lags, caughtUp, missing, err
}

// A process is a measured process.
type process struct {
	command         *exec.Cmd
	out             bytes.Buffer
	began           time.Time
	wall, processor time.Duration
	peak            int64 // bytes
	err             error
}

func start(name string, args ...string) *process {
	p := &process{command: exec.Command(name, args...), began: time.Now()}
	p.command.Stdout, p.command.Stderr = &p.out, os.Stderr
	p.err = p.command.Start()
	return p
}

// end waits until the process has exited, after an optional signal. An exit code for findings
// is not an error.
func (p *process) end(s os.Signal) error {
	if p.err == nil && s != nil {
		p.err = p.command.Process.Signal(s)
	}
	if p.err != nil {
		return p.err
	}
	const findings = 7
	if err := p.command.Wait(); err != nil && p.command.ProcessState.ExitCode() != findings {
		return fmt.Errorf("%v: %w", p.command.Args, err)
	}
	state := p.command.ProcessState
	p.wall, p.processor, p.peak = time.Since(p.began), state.UserTime()+state.SystemTime(), bench.PeakOf(state)
	return nil
}
