package bench

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	today "github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	dropin "kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/status"
)

// A Contestant judges objects.
type Contestant struct {
	Name  string
	Judge func(*unstructured.Unstructured) error
}

// Contestants returns the default profile, the compat profile, kstatus, and the drop-in in its mode
// compat.
func Contestants() []Contestant {
	var compat status.Evaluator
	for _, p := range status.Profiles() {
		if p.Name() == "compat" {
			compat.Profile = p
		}
	}
	return []Contestant{
		{"default", func(u *unstructured.Unstructured) error { _, err := status.Compute(u); return err }},
		{"compat", func(u *unstructured.Unstructured) error { _, err := compat.Compute(u); return err }},
		{"kstatus", func(u *unstructured.Unstructured) error { _, err := today.Compute(u); return err }},
		{"drop-in", func(u *unstructured.Unstructured) error { _, err := dropin.Compute(u); return err }},
	}
}

// A Measure is the cost of one verdict.
type Measure struct {
	Nanoseconds float64 // processor time, the median of all rounds
	Allocations float64
}

// Compare measures every contestant on the object. They take turns, each with a clean heap, so
// that other load on the machine affects all of them.
func Compare(o Object, who []Contestant, rounds int, turn time.Duration) ([]Measure, error) {
	all := make([]Measure, len(who))
	times := make([][]float64, len(who))
	counts := make([]int, len(who))
	for i, c := range who {
		if err := c.Judge(o.Unstructured); err != nil {
			return nil, err
		}
		all[i].Allocations = testing.AllocsPerRun(100, func() { _ = c.Judge(o.Unstructured) })
		counts[i] = perTurn(o, c, turn)
	}
	for range rounds {
		for i, c := range who {
			times[i] = append(times[i], float64(once(o, c, counts[i]))/float64(counts[i]))
		}
	}
	for i := range who {
		slices.Sort(times[i])
		all[i].Nanoseconds = times[i][rounds/2]
	}
	return all, nil
}

// once returns the cost of n verdicts.
func once(o Object, c Contestant, n int) time.Duration {
	runtime.GC()
	start := processorTime()
	for range n {
		_ = c.Judge(o.Unstructured)
	}
	return processorTime() - start
}

// perTurn returns the number of verdicts in a turn.
func perTurn(o Object, c Contestant, turn time.Duration) int {
	for n := 1000; ; n *= 2 {
		if took := once(o, c, n); took >= turn/4 {
			return max(1, int(float64(n)*float64(turn)/float64(took)))
		}
	}
}

// GeometricMean returns the geometric mean of ratios.
func GeometricMean(ratios []float64) float64 {
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios)))
}

// Hold returns n copies of each object. Tools that judge objects keep some in memory, and their
// number decides how often the garbage collector runs.
func Hold(objects []Object, n int) (held []*unstructured.Unstructured) {
	for _, o := range objects {
		for range n {
			held = append(held, o.DeepCopy())
		}
	}
	return held
}
