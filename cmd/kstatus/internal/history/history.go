// Package history records in a file how long objects took to become Current in earlier waits.
package history

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Durations holds the last times that objects took to become Current. It holds no data of
// objects except names and durations. The cluster of an object is the name of its context.
type Durations map[status.ID]*samples

// samples are the durations of one object.
type samples struct {
	Last    time.Time `json:"last"`    // when the last duration was measured
	Seconds []float64 `json:"seconds"` // the durations, oldest first
}

const (
	formatVersion = 1
	maxSamples    = 10      // durations per object
	maxObjects    = 2000    // objects in the history
	minSamples    = 3       // durations that a median needs
	maxFileSize   = 4 << 20 // maximum size of a file, in bytes
)

// Usual returns the median duration of an object, and false with fewer than minSamples
// durations.
func (h Durations) Usual(id status.ID) (time.Duration, bool) {
	p := h[id]
	if p == nil || len(p.Seconds) < minSamples {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(p.Seconds))
	n := len(sorted)
	median := (sorted[(n-1)/2] + sorted[n/2]) / 2
	return time.Duration(median * float64(time.Second)).Round(time.Second), true
}

// Unusual reports whether now is more than twice as long as usual, and more than half a minute.
func Unusual(now, usual time.Duration) bool {
	return now > 2*usual && now > usual+30*time.Second
}

// add adds the duration of an object. It keeps the last durations of each object, and the most
// recently added objects.
func (h Durations) add(id status.ID, took time.Duration, now time.Time) {
	p := h[id]
	if p == nil {
		p = new(samples)
		h[id] = p
	}
	p.Last = now.UTC().Truncate(time.Second)
	p.Seconds = append(p.Seconds, took.Round(100*time.Millisecond).Seconds())
	p.Seconds = p.Seconds[max(0, len(p.Seconds)-maxSamples):]
	if len(h) <= maxObjects {
		return
	}
	oldest := slices.MinFunc(h.ids(), func(x, y status.ID) int { return h[x].Last.Compare(h[y].Last) })
	delete(h, oldest)
}

// ids returns the objects, sorted.
func (h Durations) ids() []status.ID { return slices.SortedFunc(maps.Keys(h), status.ID.Compare) }

// A file is the JSON form of a history.
type file struct {
	V       int     `json:"v"`
	Objects []entry `json:"objects"`
}

type entry struct {
	Context   string `json:"context,omitempty"`
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	samples
}

// text returns the JSON form of a history, with one object per line. It depends only on the
// history.
func (h Durations) text() ([]byte, error) {
	text := fmt.Appendf(nil, "{\"v\":%d,\"objects\":[", formatVersion)
	for i, id := range h.ids() {
		entry, err := json.Marshal(entry{id.Cluster, id.Group, id.Kind.Kind, id.Namespace, id.Name, *h[id]})
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(text, '\n'), entry...)
	}
	return append(text, "\n]}\n"...), nil
}

// parse parses a history. It limits the data, since another program may have written it.
func parse(text []byte) (Durations, error) {
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	if f.V != formatVersion {
		return nil, fmt.Errorf("v: want %d, have %d", formatVersion, f.V)
	}
	h := Durations{}
	for _, e := range f.Objects[:min(len(f.Objects), maxObjects)] {
		e.Seconds = slices.DeleteFunc(e.Seconds, func(s float64) bool { return s < 0 || s > float64(1<<31) })
		e.Seconds = e.Seconds[max(0, len(e.Seconds)-maxSamples):]
		kind := status.Kind{Group: e.Group, Kind: e.Kind}
		h[status.ID{Cluster: e.Context, Kind: kind, Namespace: e.Namespace, Name: e.Name}] = &samples{e.Last, e.Seconds}
	}
	return h, nil
}

// IDOf returns the ID of a target in a history. It uses context if the target has no cluster.
func IDOf(t observe.Target, context string) status.ID {
	t.Cluster = cmp.Or(t.Cluster, context)
	return t.ID()
}
