package status_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"kstatus.dev/status"
)

// seeds adds every case of the tests to the fuzzer.
func seeds(f *testing.F) {
	for _, c := range allCases(f) {
		b, err := json.Marshal(c.obj)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"apiVersion":"v1","kind":"Pod","status":{"phase":"Running","containerStatuses":["x",{"state":1}],"conditions":[1]}}`))
}

func decoded(b []byte) (m status.Map) {
	if json.Unmarshal(b, &m) != nil {
		return nil
	}
	return m
}

// Compute returns a verdict or an error for every object and profile.
func FuzzCompute(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		m := decoded(b)
		for _, p := range status.Profiles() {
			r, err := status.Evaluator{Profile: p, Now: noonClock}.Compute(m)
			if (r == nil) == (err == nil) {
				t.Fatalf("%s: want a result or an error, have %v and %v", p.Name(), r, err)
			}
			if err == nil && r.Status == "" {
				t.Fatalf("%s: no status in %+v", p.Name(), *r)
			}
		}
	})
}

// A second Augment changes nothing, and Augment does not change the verdict.
func FuzzAugment(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		once, twice := decoded(b), decoded(b)
		e := status.Evaluator{Now: noonClock}
		before, err := e.Compute(once)
		if err != nil || e.Augment(once) != nil {
			return
		}
		after, err := e.Compute(once)
		if err != nil || after.Status != before.Status || after.Reason != before.Reason {
			t.Fatalf("Augment changes %+v to %+v (%v)", before, after, err)
		}
		for range 2 {
			if err := e.Augment(twice); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(once, twice) {
			t.Fatalf("Augment once gives %v, twice %v", once, twice)
		}
	})
}

// Explaining never changes a verdict.
func FuzzExplain(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		m := decoded(b)
		for _, p := range status.Profiles() {
			e := status.Evaluator{Profile: p, Now: noonClock}
			r, err := e.Compute(m)
			x, _, err2 := e.Explain(m)
			if (err == nil) != (err2 == nil) || err == nil && !reflect.DeepEqual(r, x) {
				t.Fatalf("%s: Compute says %+v (%v), Explain %+v (%v)", p.Name(), r, err, x, err2)
			}
		}
	})
}
