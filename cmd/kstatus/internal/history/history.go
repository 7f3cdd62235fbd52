// Package history records in a file how long objects took to become Current in earlier waits.
package history

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"kstatus.dev/observe"
)

// Durations holds the last times that objects took to become Current. It holds no data of
// objects except names and durations.
type Durations map[Key]*samples

// A Key names an object in a context of a kubeconfig.
type Key struct {
	Context   string `json:"context,omitempty"`
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

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
func (h Durations) Usual(k Key) (time.Duration, bool) {
	p := h[k]
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
func (h Durations) add(k Key, took time.Duration, now time.Time) {
	p := h[k]
	if p == nil {
		p = new(samples)
		h[k] = p
	}
	p.Last = now.UTC().Truncate(time.Second)
	p.Seconds = append(p.Seconds, took.Round(100*time.Millisecond).Seconds())
	p.Seconds = p.Seconds[max(0, len(p.Seconds)-maxSamples):]
	if len(h) <= maxObjects {
		return
	}
	oldest := slices.MinFunc(h.keys(), func(x, y Key) int { return h[x].Last.Compare(h[y].Last) })
	delete(h, oldest)
}

// keys returns the objects, sorted.
func (h Durations) keys() []Key {
	keys := make([]Key, 0, len(h))
	for k := range h {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y Key) int {
		return cmp.Or(cmp.Compare(x.Context, y.Context), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Group, y.Group),
			cmp.Compare(x.Namespace, y.Namespace), cmp.Compare(x.Name, y.Name))
	})
	return keys
}

// A file is the JSON form of a history.
type file struct {
	V       int     `json:"v"`
	Objects []entry `json:"objects"`
}

type entry struct {
	Key
	samples
}

// text returns the JSON form of a history, with one object per line. It depends only on the
// history.
func (h Durations) text() ([]byte, error) {
	text := fmt.Appendf(nil, "{\"v\":%d,\"objects\":[", formatVersion)
	for i, k := range h.keys() {
		entry, err := json.Marshal(entry{k, *h[k]})
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
		h[e.Key] = &samples{e.Last, e.Seconds}
	}
	return h, nil
}

// KeyOf returns the key of a target. It uses context if the target has no cluster.
func KeyOf(t observe.Target, context string) Key {
	return Key{Context: cmp.Or(t.Cluster, context), Group: t.Kind.Group, Kind: t.Kind.Kind, Namespace: t.Namespace, Name: t.Name}
}
