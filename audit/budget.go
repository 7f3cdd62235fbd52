package audit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Budget says how much of a measure an object may take at most. What exceeds it
// breaks W-51.
type Budget struct {
	Measure Measure
	Max     float64 // seconds of a time, or how many writes
}

// A Measure is one of what [Auditor.Metrics] tells of an object.
type Measure string

// The measures.
const (
	MeasureTimeToFirstStatus    Measure = "time-to-first-status"
	MeasureTimeToReady          Measure = "time-to-ready"
	MeasureWritesPerConvergence Measure = "writes-per-convergence"
	MeasureWritesPerIdleHour    Measure = "writes-per-idle-hour"
)

// isTime reports whether a measure is one of seconds.
func (m Measure) isTime() bool { return m == MeasureTimeToFirstStatus || m == MeasureTimeToReady }

// ParseBudget reads a budget such as "writes-per-idle-hour=2" or
// "time-to-first-status=5s".
func ParseBudget(text string) (Budget, error) {
	name, most, _ := strings.Cut(text, "=")
	b := Budget{Measure: Measure(strings.TrimSpace(name))}
	switch b.Measure {
	case MeasureTimeToFirstStatus, MeasureTimeToReady:
		d, err := time.ParseDuration(strings.TrimSpace(most))
		if err != nil || d <= 0 {
			return b, fmt.Errorf("audit: budget %q: want a time such as %s=5s", text, b.Measure)
		}
		b.Max = d.Seconds()
	case MeasureWritesPerConvergence, MeasureWritesPerIdleHour:
		n, err := strconv.ParseFloat(strings.TrimSpace(most), 64)
		if err != nil || !(n >= 0) || math.IsInf(n, 0) {
			return b, fmt.Errorf("audit: budget %q: want a number such as %s=2", text, b.Measure)
		}
		b.Max = n
	default:
		return b, fmt.Errorf("audit: budget %q: want %s, %s, %s or %s, and how much", text, MeasureTimeToFirstStatus, MeasureTimeToReady, MeasureWritesPerConvergence, MeasureWritesPerIdleHour)
	}
	return b, nil
}

// String returns the budget in the form that ParseBudget reads.
func (b Budget) String() string {
	if b.Measure.isTime() {
		return string(b.Measure) + "=" + seconds(b.Max).String()
	}
	return string(b.Measure) + "=" + strconv.FormatFloat(b.Max, 'f', -1, 64)
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
