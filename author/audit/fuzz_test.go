package audit

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// FuzzAudit audits arbitrary writes twice, and expects equal reports. It spoils
// the decoded writes further, at places that the seed selects. If the input
// cannot be decoded, it uses the stream of a case.
func FuzzAudit(f *testing.F) {
	var streams [][]Write
	for i, r := range Rules {
		c := caseOf(f, r)
		for _, stream := range slices.Concat(c.breaks, c.keeps) {
			var b bytes.Buffer
			streams = append(streams, parseStream(f, stream))
			for _, w := range streams[len(streams)-1] {
				if err := json.NewEncoder(&b).Encode(w); err != nil {
					f.Fatal(err)
				}
			}
			f.Add(b.Bytes(), uint64(i))
		}
	}
	f.Add([]byte(`{"type":"ADDED","object":{"kind":1,"metadata":[{"name":null}],"status":{"conditions":{"type":"Ready"}}}}{"type":"MODIFIED"}`), uint64(1))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		stream := decodedWrites(data)
		if len(stream) == 0 {
			stream = slices.Clone(streams[seed%uint64(len(streams))])
		}
		changeAllTypes(stream, seed)
		first, second := reportOf(t, stream), reportOf(t, stream)
		if !bytes.Equal(first, second) {
			t.Fatalf("the same stream gives two reports:\n%s\n%s", first, second)
		}
	})
}

func reportOf(t *testing.T, stream []Write) []byte {
	t.Helper()
	a := New(Options{Suppress: []Suppression{{Rule: "W-02", Name: "l*p", Reason: "known"}},
		Declarations: []Declaration{{Group: "example.com", Kind: "Lamp", Conditions: []ConditionDeclaration{{Type: "Ready", Summary: true, Reasons: []string{"On"}}}}}})
	for i, w := range stream {
		if a.Add(w); i%16 == 15 {
			a.Findings()
		}
	}
	b, err := json.Marshal(a.Report())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decodedWrites decodes writes until the first error.
func decodedWrites(data []byte) (all []Write) {
	for d := json.NewDecoder(bytes.NewReader(data)); len(all) < 64; {
		var w Write
		if d.Decode(&w) != nil {
			return all
		}
		all = append(all, w)
	}
	return all
}

// changeAllTypes puts odd values and times into writes.
func changeAllTypes(all []Write, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
	for i := range all {
		w := &all[i]
		if seed%4 != 0 {
			w.Object, _ = changeTypes(random, w.Object).(map[string]any)
		}
		if seed%5 == 1 {
			w.Time = w.Time.Add(time.Duration(random.Int64N(int64(time.Hour))) - 30*time.Minute)
		}
	}
}

// odd lists values that no schema allows, or that no rule expects.
var odd = []any{nil, true, -1.0, 1e300, 2.5, int64(-9), "", "x", "0001-01-01T00:00:00Z", "\x00\u202e\xff", []any{}, []any{nil, 1.0, "a"},
	map[string]any{}, map[string]any{"type": "Ready"}, []any{map[string]any{"type": "Ready"}, map[string]any{"type": "Ready"}}}

func changeTypes(random *rand.Rand, v any) any {
	if random.IntN(24) == 0 {
		return odd[random.IntN(len(odd))]
	}
	switch v := v.(type) {
	case map[string]any:
		made := map[string]any{}
		for _, k := range sortedKeys(v) {
			made[k] = changeTypes(random, v[k])
		}
		return made
	case []any:
		var made []any
		for _, item := range v {
			made = append(made, changeTypes(random, item))
		}
		return made
	}
	return v
}
