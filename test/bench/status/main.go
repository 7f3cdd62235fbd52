// Command status compares the cost of a verdict with that of kstatus in cli-utils, on the same
// objects, in one run. The budget is 8 times the speed of kstatus in the geometric mean, and at
// most 2 allocations for a Current object. With -check it exits with 1 if the budget is exceeded.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"kstatus.dev/test/bench"
)

const (
	leastRatio       = 8
	leastCustomRatio = 5
	mostAllocations  = 2
)

func main() {
	rounds := flag.Int("rounds", 9, "how often each takes its turn per object")
	turn := flag.Duration("turn", 20*time.Millisecond, "how long a turn lasts")
	check := flag.Bool("check", false, "exit 1 if the budget is missed")
	flag.Parse()
	kept, err := report(os.Stdout, max(1, *rounds), *turn)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench status:", err)
	}
	if err != nil || *check && !kept {
		os.Exit(1)
	}
}

// report prints the table and reports whether the result is within the budget.
func report(out io.Writer, rounds int, turn time.Duration) (kept bool, err error) {
	objects, err := bench.Objects()
	if err != nil {
		return false, err
	}
	held := bench.Hold(objects, 300)
	defer runtime.KeepAlive(held)
	var ratios, compatRatios, dropinRatios, conditioned, custom []float64
	kept = true
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "object\tstatus\tdefault ns\tcompat ns\tkstatus ns\tdrop-in ns\tratio\tcompat ratio\tdrop-in ratio\tallocs\tcompat\tkstatus\tdrop-in\t")
	for _, o := range objects {
		m, err := bench.Compare(o, bench.Contestants(), rounds, turn)
		if err != nil {
			return false, fmt.Errorf("%s: %w", o.Name, err)
		}
		ours, compat, theirs, dropin := m[0], m[1], m[2], m[3]
		ratio, compatRatio := theirs.Nanoseconds/ours.Nanoseconds, theirs.Nanoseconds/compat.Nanoseconds
		dropinRatio := theirs.Nanoseconds / dropin.Nanoseconds
		ratios, compatRatios, dropinRatios = append(ratios, ratio), append(compatRatios, compatRatio), append(dropinRatios, dropinRatio)
		if o.Conditions() > 0 {
			conditioned = append(conditioned, ratio)
			if strings.HasPrefix(o.Name, "custom") {
				custom = append(custom, ratio)
			}
		}
		note := ""
		if o.Ours == "Current" && ours.Allocations > mostAllocations {
			kept, note = false, "over budget"
		}
		fmt.Fprintf(w, "%s\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.1f\t%.1f\t%.1f\t%.0f\t%.0f\t%.0f\t%.0f\t%s\n", o.Name, o.Ours, ours.Nanoseconds,
			compat.Nanoseconds, theirs.Nanoseconds, dropin.Nanoseconds, ratio, compatRatio, dropinRatio,
			ours.Allocations, compat.Allocations, theirs.Allocations, dropin.Allocations, note)
	}
	if err := w.Flush(); err != nil {
		return false, err
	}
	mean := bench.GeometricMean(ratios)
	_, err = fmt.Fprintf(out, "%d objects: %.1f times as fast as kstatus in the geometric mean (budget: %d), compat %.1f, drop-in %.1f\n"+
		"%d of them with conditions: %.1f times; %d of these custom: %.1f times (budget: %d)\n",
		len(objects), mean, leastRatio, bench.GeometricMean(compatRatios), bench.GeometricMean(dropinRatios), len(conditioned), bench.GeometricMean(conditioned),
		len(custom), bench.GeometricMean(custom), leastCustomRatio)
	return kept && mean >= leastRatio, err
}
