package audit

import (
	"math"
	"slices"
)

// Quantiles say how many values there were and where they lie. Each is a value
// that occurred: the smallest that so many percent do not exceed.
type Quantiles struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// A sample is some values of many: each, until there are too many, then every
// second, every fourth and so on. The most and the number of all are exact.
type sample struct {
	values  []float64
	step, n int
	max     float64
	skipped int
}

// maxSampleSize bounds what is kept of a sample.
const maxSampleSize = 4096

func (s *sample) add(v float64) {
	s.n++
	s.max = max(s.max, v)
	if s.skipped++; s.skipped < s.step {
		return
	}
	s.skipped = 0
	if s.values = append(s.values, v); len(s.values) < maxSampleSize {
		return
	}
	half := s.values[:0]
	for i := 1; i < len(s.values); i += 2 {
		half = append(half, s.values[i])
	}
	s.values, s.step = half, max(s.step, 1)*2
}

// merge adds the values of another sample.
func (s *sample) merge(other sample) {
	s.n += other.n
	s.max = max(s.max, other.max)
	s.values = append(s.values, other.values...)
}

func (s *sample) quantiles() Quantiles {
	if s.n == 0 {
		return Quantiles{}
	}
	sorted := slices.Sorted(slices.Values(s.values))
	at := func(p float64) float64 { return sorted[max(int(math.Ceil(p*float64(len(sorted))))-1, 0)] }
	return Quantiles{N: s.n, P50: at(0.5), P90: at(0.9), P99: at(0.99), Max: s.max}
}
