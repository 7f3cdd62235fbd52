package status_test

import (
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"testing"

	"kstatus.dev/status"
)

// The parts of random statuses: fields that kstatus reads and others, and words of every
// polarity and unknown ones.
var (
	fuzzFields = []string{
		"phase", "state", "status", "health", "compliant", "stageStatus", "desiredState", "currentPhase", "ready", "healthy", "failed", "paused", "error", "errors",
		"lastError", "message", "reason", "replicas", "readyReplicas", "updatedReplicas", "expectedNodes", "availableNodes", "size", "observedGeneration",
		"lastEvaluatedGeneration", "parents", "listeners", "members", "lastOperation", "statuses", "atProvider", "conditions", "other", "",
	}
	fuzzWords = []string{
		"Ready", "NotReady", "Running", "Creating", "Failed", "Paused", "Unknown", "HEALTH_WARN", "Completed", "Gromp", "no errors", "", "1/2", "true", "-1", "3",
		"Cluster in healthy state", "waiting for the database", "error: denied", "\x00\x1b[31m", "ÄÖ", "AvailableReady", "x-y/z",
	}
	fuzzTypes = []string{"Ready", "Available", "Synced", "NotReady", "Degraded", "Progressing", "Paused", "Warning", "Painted", "Archiving", "Example", "Reconciling", "Stalled", "Accepted", "a/Valid", ""}
	fuzzTruth = []any{"True", "False", "Unknown", "TRUE", true, nil, 7.0}
)

// A maker makes an object from bytes, deterministically.
type maker struct{ bytes []byte }

func (m *maker) next() int {
	if len(m.bytes) == 0 {
		return 0
	}
	b := m.bytes[0]
	m.bytes = m.bytes[1:]
	return int(b)
}

func (m *maker) word() string { return fuzzWords[m.next()%len(fuzzWords)] }

func (m *maker) condition() any {
	c := map[string]any{"type": fuzzTypes[m.next()%len(fuzzTypes)], "status": fuzzTruth[m.next()%len(fuzzTruth)]}
	if n := m.next(); n%2 == 1 {
		c["reason"], c["message"] = m.word(), m.word()
	} else if n%3 == 1 {
		c["observedGeneration"] = float64(n % 4)
	}
	return c
}

func (m *maker) value(deep int) any {
	switch n := m.next(); {
	case n%8 < 3:
		return m.word()
	case n%8 == 3:
		return float64(n%5 - 1)
	case n%8 == 4:
		return n%3 == 0
	case n%8 == 5 && deep > 0:
		return m.fields(deep - 1)
	case n%8 == 6 && deep > 0:
		list := []any{}
		for range n % 4 {
			list = append(list, m.fields(deep-1))
		}
		return list
	case n%8 == 7:
		list := []any{}
		for range n % 5 {
			list = append(list, m.condition())
		}
		return list
	}
	return nil
}

func (m *maker) fields(deep int) map[string]any {
	all := map[string]any{}
	for range m.next() % 6 {
		all[fuzzFields[m.next()%len(fuzzFields)]] = m.value(deep)
	}
	return all
}

func (m *maker) object() status.Map {
	obj := status.Map{"apiVersion": "example.com/v1", "kind": []string{"Widget", "NightlyBackup"}[m.next()%2],
		"metadata": map[string]any{"name": "w", "generation": float64(m.next() % 4)}, "spec": m.fields(1)}
	st := m.fields(3)
	if _, conditions := st["conditions"].([]any); !conditions && m.next()%2 == 0 {
		st["conditions"] = []any{m.condition(), m.condition(), m.condition()}
	}
	obj["status"] = st
	return obj
}

// Every status has a verdict with a reason of the closed set. Neither the order of lists nor an
// explanation changes it, and a higher generation alone never makes the object Current.
func FuzzReport(f *testing.F) {
	known := map[string]bool{}
	for _, r := range (status.Profile{}).Reasons() {
		known[r.Name] = true
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		seed := make([]byte, 60)
		for i := range seed {
			seed[i] = byte(rnd.Uint32())
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		obj := (&maker{b}).object()
		e := status.Evaluator{Now: noonClock}
		want, err := e.Compute(obj)
		if err != nil {
			t.Fatal(err)
		}
		if !known[want.Reason] || want.Message == "" || want.Rule == "" || want.Confidence == "" {
			t.Fatalf("the verdict lacks a field: %+v", *want)
		}
		if x, _, err := e.Explain(obj); err != nil || !reflect.DeepEqual(x, want) {
			t.Fatalf("Explain says %+v (%v), Compute %+v", x, err, *want)
		}
		order := rand.New(rand.NewPCG(1, uint64(crc32.ChecksumIEEE(b)))) // the same for the same input
		shuffled := transformed(obj, func(v any) any {
			list, ok := v.([]any)
			if !ok || !allMaps(list) || badConditions(list) {
				return v
			}
			list = append([]any(nil), list...)
			order.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			return list
		})
		if got, _ := e.Compute(status.Map(shuffled)); formatResult(got, nil) != formatResult(want, nil) {
			t.Fatalf("shuffled: have %s, want %s", formatResult(got, nil), formatResult(want, nil))
		}
		raised := merged(obj, map[string]any{"metadata": map[string]any{"generation": 1000.0}})
		if got, _ := e.Compute(status.Map(raised)); got.Status == status.CurrentStatus && want.Status == status.InProgressStatus {
			t.Fatalf("generation 1000 makes %s of %s", formatResult(got, nil), formatResult(want, nil))
		}
	})
}

// badConditions reports whether a list holds an item that is not a condition. A warning names
// its index.
func badConditions(list []any) bool {
	for _, v := range list {
		if t, _ := v.(map[string]any)["type"].(string); t == "" {
			return true
		}
	}
	return false
}
