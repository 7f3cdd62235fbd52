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
	Most    float64 // seconds of a time, or how many writes
}

// A Measure is one of what [Auditor.Metrics] tells of an object.
type Measure string

// The measures.
const (
	TimeToFirstStatus    Measure = "time-to-first-status"
	TimeToReady          Measure = "time-to-ready"
	WritesPerConvergence Measure = "writes-per-convergence"
	WritesPerIdleHour    Measure = "writes-per-idle-hour"
)

// isTime reports whether a measure is one of seconds.
func (m Measure) isTime() bool { return m == TimeToFirstStatus || m == TimeToReady }

// ParseBudget reads a budget such as "writes-per-idle-hour=2" or
// "time-to-first-status=5s".
func ParseBudget(text string) (Budget, error) {
	name, most, _ := strings.Cut(text, "=")
	b := Budget{Measure: Measure(strings.TrimSpace(name))}
	switch b.Measure {
	case TimeToFirstStatus, TimeToReady:
		d, err := time.ParseDuration(strings.TrimSpace(most))
		if err != nil || d <= 0 {
			return b, fmt.Errorf("audit: budget %q: want a time such as %s=5s", text, b.Measure)
		}
		b.Most = d.Seconds()
	case WritesPerConvergence, WritesPerIdleHour:
		n, err := strconv.ParseFloat(strings.TrimSpace(most), 64)
		if err != nil || !(n >= 0) || math.IsInf(n, 0) {
			return b, fmt.Errorf("audit: budget %q: want a number such as %s=2", text, b.Measure)
		}
		b.Most = n
	default:
		return b, fmt.Errorf("audit: budget %q: want %s, %s, %s or %s, and how much", text, TimeToFirstStatus, TimeToReady, WritesPerConvergence, WritesPerIdleHour)
	}
	return b, nil
}

// String returns the budget in the form that ParseBudget reads.
func (b Budget) String() string {
	if b.Measure.isTime() {
		return string(b.Measure) + "=" + seconds(b.Most).String()
	}
	return string(b.Measure) + "=" + strconv.FormatFloat(b.Most, 'f', -1, 64)
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
