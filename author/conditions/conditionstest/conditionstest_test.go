package conditionstest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
	"kstatus.dev/author/conditions/wellknown"
)

var set = conditions.MustSet(conditions.Positive(wellknown.TypeReady, "Up", "Down"))

// object is a Server as an API server creates it, with the defaults of its
// definition.
func object() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Server",
		"metadata": map[string]any{"name": "web", "namespace": "shop", "uid": "u1", "generation": int64(1)},
		"status":   map[string]any{"observedGeneration": int64(-1)},
	}}
}

// Package audit has no findings in the writes of this package.
func TestRecorderFeedsTheAuditor(t *testing.T) {
	clock := conditionstest.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	server, err := conditionstest.NewServer(object())
	if err != nil {
		t.Fatal(err)
	}
	recorder := conditionstest.NewRecorder(server, "servers", clock.Now)
	strict := conditionstest.StrictSet(set, clock)
	obj := &unstructured.Unstructured{}
	if err := recorder.Get(context.Background(), obj); err != nil {
		t.Fatal(err)
	}
	if err := recorder.RecordChange(obj, audit.WriteAdded); err != nil {
		t.Fatal(err)
	}
	for i, statements := range []func(*conditions.Pass){
		func(*conditions.Pass) {},
		func(p *conditions.Pass) { p.True(wellknown.TypeReady, "Up", "") },
		func(p *conditions.Pass) { p.True(wellknown.TypeReady, "Up", "") },
		func(p *conditions.Pass) { p.False(wellknown.TypeReady, "Down", "") },
	} {
		clock.Advance(time.Minute)
		pass, err := strict.Begin(obj)
		if err != nil {
			t.Fatal(err)
		}
		statements(pass)
		if i == 3 {
			server.BeforeNextWrite = func() { server.Update(func(c map[string]any) { c["other"] = "x" }) }
		}
		if _, err := pass.Commit(context.Background(), recorder); err != nil {
			t.Fatal(err)
		}
	}
	var codes []int
	auditor := audit.New(audit.Options{})
	for _, w := range recorder.Writes() {
		auditor.Add(w)
		if w.Request != nil {
			codes = append(codes, w.Request.Code)
		}
	}
	if len(codes) != 4 || codes[0] != 200 || codes[1] != 200 || codes[2] != 409 || codes[3] != 200 {
		t.Errorf("recorded answers %v, want 200 200 409 200", codes)
	}
	for _, f := range auditor.Report().Findings {
		t.Errorf("the auditor found %s %s: %s", f.Rule, f.Name, f.Evidence)
	}
}

func TestDiff(t *testing.T) {
	a := metav1.Condition{Type: "A", Status: "True", Reason: "R", LastTransitionTime: metav1.Now()}
	later := a
	later.LastTransitionTime = metav1.NewTime(a.LastTransitionTime.Add(time.Hour))
	b := a
	b.Status = "False"
	for name, c := range map[string]struct {
		have, want []metav1.Condition
		diff       string
	}{
		"it ignores times":                   {[]metav1.Condition{a}, []metav1.Condition{later}, ""},
		"it reports another status":          {[]metav1.Condition{a}, []metav1.Condition{b}, "0: have A=True(R)"},
		"it reports an additional condition": {[]metav1.Condition{a}, nil, "want none"},
		"it reports a missing condition":     {nil, []metav1.Condition{a}, "have none"},
	} {
		t.Run(name, func(t *testing.T) {
			if have := conditionstest.Diff(c.have, c.want); c.diff == "" && have != "" || !strings.Contains(have, c.diff) {
				t.Errorf("%q, want %q", have, c.diff)
			}
		})
	}
}

// failures is a testing.TB that records failures.
type failures struct {
	testing.TB
	texts []string
}

func (f *failures) Helper()           {}
func (f *failures) Error(args ...any) { f.texts = append(f.texts, args[0].(string)) }

func TestWant(t *testing.T) {
	have := []metav1.Condition{{Type: "A", Status: "True", Reason: "R", Message: "m", ObservedGeneration: 3}}
	f := &failures{TB: t}
	conditionstest.Assert(f, have, metav1.Condition{Type: "A", Status: "True"}, metav1.Condition{Type: "A", Reason: "R"}, metav1.Condition{Type: "A", Message: "m", ObservedGeneration: 3})
	if len(f.texts) != 0 {
		t.Errorf("it fails over %q", f.texts)
	}
	conditionstest.Assert(f, have, metav1.Condition{Type: "A", Status: "False"}, metav1.Condition{Type: "B"}, metav1.Condition{Type: "A", ObservedGeneration: 2})
	if len(f.texts) != 3 {
		t.Errorf("it fails over %q, want three", f.texts)
	}
}
