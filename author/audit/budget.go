package audit

import (
	"slices"
	"time"
)

// A Measure is a cost of an object that [Options.Budgets] can limit.
type Measure string

// These are the measures. Times are in seconds.
const (
	MeasureTimeToFirstStatus    Measure = "time-to-first-status"
	MeasureTimeToReady          Measure = "time-to-ready"
	MeasureWritesPerConvergence Measure = "writes-per-convergence"
	MeasureWritesPerIdleHour    Measure = "writes-per-idle-hour"
)

// measures lists the measures, in the order of their evaluation.
var measures = []Measure{MeasureTimeToFirstStatus, MeasureTimeToReady, MeasureWritesPerConvergence, MeasureWritesPerIdleHour}

// isKnown reports whether a rule evaluates the measure.
func (m Measure) isKnown() bool { return slices.Contains(measures, m) }

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
