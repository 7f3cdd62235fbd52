// Command kits runs one script of reconciles with several kits for conditions, and
// writes a table that compares them. Each kit has an object of its own on the same
// cluster. The command counts the requests of each kit, and watches its object.
//
//	make measure-kits
//
// It is a module of its own, outside of the workspace, because other kits require
// other versions of libraries than kstatus.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/go-logr/logr"
)

func main() {
	crd := flag.String("crd", "../kit/testdata/server.yaml", "the definition of Servers")
	out := flag.String("o", "", "the page to write; standard output if empty")
	flag.Parse()
	ctrl.SetLogger(logr.Discard())
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := run(ctx, *crd, *out); err != nil {
		fmt.Fprintf(os.Stderr, "kits: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, crd, out string) error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	if err := define(ctx, config, crd); err != nil {
		return err
	}
	results := make([]*result, len(helpers))
	failed := make([]error, len(helpers))
	var all sync.WaitGroup
	for i, h := range helpers {
		all.Go(func() { results[i], failed[i] = play(ctx, config, h) })
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		return err
	}
	states, status, reason, err := agreement()
	if err != nil {
		return err
	}
	text := page(results, [3]int{states, status, reason})
	if out == "" {
		_, err = fmt.Print(text)
		return err
	}
	return os.WriteFile(out, []byte(text), 0o644)
}

// result is the result of a kit.
type result struct {
	helper
	steps []tally // the requests of each step
	total tally
	judgement
}

// play runs the script with one kit.
func play(ctx context.Context, config *rest.Config, h helper) (*result, error) {
	w, err := newWorld(ctx, config, fmt.Sprintf("%s-%d", strings.ToLower(strings.ReplaceAll(h.name, " ", "-")), time.Now().Unix()))
	if err != nil {
		return nil, err
	}
	events, err := follow(ctx, w)
	if err != nil {
		return nil, err
	}
	defer events.Stop()
	r := &result{helper: h}
	ends := map[string]bool{}
	behind := 0
	for _, step := range script {
		before := w.snapshot()
		if step.before != nil {
			if err := step.before(ctx, w); err != nil {
				return nil, err
			}
		}
		for range max(step.times, 1) {
			time.Sleep(1100 * time.Millisecond) // simulates passes that are a second apart, since transition times are whole seconds
			if err := reconcile(ctx, w, h, step.facts, ends); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", h.name, step.name, err)
			}
			s, err := w.read(ctx)
			if err != nil {
				return nil, err
			}
			if c := s.condition(serverUp); c.ObservedGeneration > s.Status.ObservedGeneration {
				behind++
			}
		}
		r.steps = append(r.steps, w.snapshot().minus(before))
	}
	last, err := w.read(ctx)
	if err != nil {
		return nil, err
	}
	versions, err := until(ctx, events, last.ResourceVersion)
	if err != nil {
		return nil, err
	}
	r.judgement = judge(versions, w.others, ends)
	r.behind, r.total = behind, w.snapshot()
	return r, nil
}

// reconcile behaves like a queue: it retries after a conflict, and where the kit requests it.
// The concurrent change happens once.
func reconcile(ctx context.Context, w *world, h helper, f facts, ends map[string]bool) error {
	for range 5 {
		s, err := w.read(ctx)
		if err != nil {
			return err
		}
		if f.meanwhile != nil {
			if err := f.meanwhile(ctx, w); err != nil {
				return err
			}
			f.meanwhile = nil
		}
		again, err := h.report(ctx, w.controller, s, f)
		now, readErr := w.read(ctx)
		if readErr != nil {
			return readErr
		}
		ends[now.ResourceVersion] = true
		if err != nil && !apierrors.IsConflict(err) {
			return err
		}
		if err == nil && !again {
			return nil
		}
	}
	return errors.New("five reconciles were not enough")
}

func (w *world) snapshot() tally {
	w.counts.mu.Lock()
	defer w.counts.mu.Unlock()
	return w.counts.tally
}

func (t tally) minus(before tally) tally {
	return tally{writes: t.writes - before.writes, refused: t.refused - before.refused, idle: t.idle - before.idle,
		spec: t.spec - before.spec, reads: t.reads - before.reads}
}
