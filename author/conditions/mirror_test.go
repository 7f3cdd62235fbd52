package conditions_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
)

func TestMirror(t *testing.T) {
	ready := conditions.Mapping{From: "Ready", To: "NetworkReady"}
	trusting, missing := ready, ready
	trusting.AcceptStale = true
	missing.IfMissing = metav1.Condition{Status: "False", Reason: "NoNetwork", Message: "there is none"}
	for name, c := range map[string]struct {
		generation int64
		status     string
		from       conditions.Mapping
		want       metav1.Condition
	}{
		"it copies the condition": {1, `{"observedGeneration":1,"conditions":[{"type":"Ready","status":"False","reason":"Broken","message":"no route","lastTransitionTime":"2026-01-01T00:00:00Z"}]}`, ready,
			metav1.Condition{Status: "False", Reason: "Broken", Message: "no route"}},
		"it is Unknown for an old report": {2, `{"observedGeneration":1,"conditions":[{"type":"Ready","status":"True","reason":"Up"}]}`, ready,
			metav1.Condition{Status: "Unknown", Reason: "StaleReport", Message: "Server shop/web has not reported on its latest spec yet"}},
		"it is Unknown for a default of -1": {1, `{"observedGeneration":-1,"conditions":[{"type":"Ready","status":"True","reason":"Up"}]}`, ready,
			metav1.Condition{Status: "Unknown", Reason: "StaleReport"}},
		"it is Unknown for an old condition": {2, `{"observedGeneration":2,"conditions":[{"type":"Ready","status":"True","reason":"Up","observedGeneration":1}]}`, ready,
			metav1.Condition{Status: "Unknown", Reason: "StaleReport"}},
		"it copies a condition of this generation": {2, `{"observedGeneration":1,"conditions":[{"type":"Ready","status":"True","reason":"Up","observedGeneration":2}]}`, ready,
			metav1.Condition{Status: "True", Reason: "Up"}},
		"it copies a condition without a generation": {2, `{"conditions":[{"type":"Ready","status":"True","reason":"Up"}]}`, ready,
			metav1.Condition{Status: "True", Reason: "Up"}},
		"it copies an old report with AcceptStale": {2, `{"observedGeneration":1,"conditions":[{"type":"Ready","status":"True","reason":"Up"}]}`, trusting,
			metav1.Condition{Status: "True", Reason: "Up"}},
		"it is Unknown without a condition":                {1, `{}`, ready, metav1.Condition{Status: "Unknown", Reason: "NotYetReported", Message: "Server shop/web has not reported Ready yet"}},
		"it has the configured status without a condition": {1, `{}`, missing, metav1.Condition{Status: "False", Reason: "NoNetwork", Message: "there is none"}},
		"it rejects an unknown status":                     {1, `{"conditions":[{"type":"Ready","status":"Yes"}]}`, ready, metav1.Condition{Status: "Unknown", Reason: "InvalidReport"}},
		"it rejects null":                                  {1, `{"conditions":[{"type":"Ready","status":null}]}`, ready, metav1.Condition{Status: "Unknown", Reason: "InvalidReport"}},
		"it replaces a missing reason":                     {1, `{"conditions":[{"type":"Ready","status":"True"}]}`, ready, metav1.Condition{Status: "True", Reason: "NoReasonReported"}},
		"it accepts numbers":                               {1, `{"observedGeneration":"1","conditions":[{"type":"Ready","status":"True","reason":7,"message":[],"lastTransitionTime":3,"observedGeneration":{}}]}`, ready, metav1.Condition{Status: "True", Reason: "NoReasonReported"}},
	} {
		t.Run(name, func(t *testing.T) {
			u := object(t, c.status)
			u.SetGeneration(c.generation)
			c.want.Type = "NetworkReady"
			conditionstest.Assert(t, []metav1.Condition{conditions.Mirror(u, c.from)}, c.want)
		})
	}
	for name, none := range map[string]conditions.Object{"nothing": nil, "a nil pointer": (*Server)(nil), "a nil object": (*unstructured.Unstructured)(nil)} {
		if c := conditions.Mirror(none, ready); c.Status != "Unknown" || c.Reason != "NotYetReported" {
			t.Errorf("the mirror of %s is %+v", name, c)
		}
	}
}

func TestMirrorKeepsTheTransitionOfATypedSource(t *testing.T) {
	source := newServer()
	at := metav1.NewTime(start.Add(-time.Hour).Truncate(time.Second))
	source.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: "False", Reason: "Creating", LastTransitionTime: at}}
	b := newFixture(t, newServer())
	b.reconcile(func(p *conditions.Pass) {
		p.Set(conditions.Mirror(source, conditions.Mapping{From: "Ready", To: "ServerUp"}))
	})
	if c := b.condition("ServerUp"); c.Status != "False" || !c.LastTransitionTime.Equal(&at) {
		t.Errorf("mirrored %+v, want the transition of %s", c, at)
	}
}

// Mirror, Aggregate, Line and Begin accept an object with any content.
func FuzzMirror(f *testing.F) {
	for _, seed := range []string{`null`, `3`, `{}`, `[]`, `{"conditions":null}`, `{"conditions":[null,3,"x",{"type":null}]}`,
		`{"observedGeneration":1e300,"conditions":[{"type":"Ready","status":true,"reason":null,"message":{},"lastTransitionTime":0}]}`,
		`{"conditions":[{"type":"Ready","status":"True"},{"type":"Ready","status":"False"}],"initialization":3}`} {
		f.Add([]byte(seed), int64(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, generation int64) {
		var status any
		if json.Unmarshal(data, &status) != nil {
			return
		}
		u := &unstructured.Unstructured{Object: map[string]any{
			"kind": "Server", "metadata": map[string]any{"name": "web", "generation": generation}, "status": status}}
		c := conditions.Mirror(u, conditions.Mapping{From: "Ready"})
		if c.Type != "Ready" || c.Reason == "" || len(c.Message) > 32768 || !slices.Contains([]metav1.ConditionStatus{"True", "False", "Unknown"}, c.Status) {
			t.Errorf("mirror is %+v", c)
		}
		conditions.Aggregate([]*unstructured.Unstructured{u, u}, conditions.Mapping{From: "Ready"})
		pass, err := declared.Begin(u)
		if err != nil {
			t.Fatal(err)
		}
		pass.Set(conditions.Mirror(u, conditions.Mapping{From: "Ready", To: "ServerUp"}))
		if _, err := pass.Commit(t.Context(), failingWriter{}); err != errRejected && !strings.Contains(err.Error(), errRejected.Error()) {
			t.Errorf("commit ends with %v", err)
		}
		if _, err := pass.CommitInMemory(); err != nil && !strings.Contains(err.Error(), "not declared") {
			t.Error(err)
		}
		if line := declared.Table(listed(u), conditions.PrintOptions{Generation: generation}); strings.ContainsAny(line, "\x1b\x00\u202e") {
			t.Errorf("printed %q", line)
		}
	})
}

func TestAggregate(t *testing.T) {
	web := func(name, status, reason, message string) *Server {
		s := newServer()
		s.Name = name
		s.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: metav1.ConditionStatus(status), Reason: reason, Message: message}}
		return s
	}
	silent := newServer()
	silent.Name = "web-9"
	var many []*Server
	for i := range 12 {
		many = append(many, web(fmt.Sprintf("web-%02d", i), "False", []string{"NoQuota", "Broken", "Lost", "Cold", "Wet"}[i%5], "text "+fmt.Sprint(i%5)))
	}
	for name, c := range map[string]struct {
		objects []*Server
		want    metav1.Condition
	}{
		"it is True without objects":         {nil, metav1.Condition{Status: "True", Reason: "NoObjects"}},
		"it is True if all are healthy":      {[]*Server{web("a", "True", "Up", ""), web("b", "True", "Up", "")}, metav1.Condition{Status: "True", Reason: "AsExpected"}},
		"it is Unknown if one has no report": {[]*Server{web("a", "True", "Up", ""), silent}, metav1.Condition{Status: "Unknown", Reason: "NotYetReported", Message: "1 of 2 are good\n* web-9: it has not reported Ready yet"}},
		"it is False if one is unhealthy": {[]*Server{silent, web("b", "False", "NoQuota", "no quota"), web("a", "True", "Up", "")},
			metav1.Condition{Status: "False", Reason: "NoQuota", Message: "1 of 3 are good\n* b: no quota\n* web-9: it has not reported Ready yet"}},
		"it groups equal reports": {[]*Server{web("e", "False", "NoQuota", ""), web("d", "False", "NoQuota", ""), web("c", "False", "NoQuota", ""), web("b", "False", "NoQuota", ""), web("a", "False", "Broken", "cable")},
			metav1.Condition{Status: "False", Reason: "NoQuota", Message: "0 of 5 are good\n* b, c, d and 1 more: NoQuota\n* a: cable"}},
		"it ends": {many, metav1.Condition{Status: "False", Reason: "NoQuota",
			Message: "0 of 12 are good\n* web-00, web-05, web-10: text 0\n* web-01, web-06, web-11: text 1\n* web-02, web-07: text 2\n* and 4 more with other reports"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.want.Type = "ServersReady"
			from := conditions.Mapping{From: "Ready", To: "ServersReady"}
			random := rand.New(rand.NewPCG(3, 4))
			for range 50 {
				random.Shuffle(len(c.objects), func(i, j int) { c.objects[i], c.objects[j] = c.objects[j], c.objects[i] })
				if diff := conditionstest.Diff([]metav1.Condition{conditions.Aggregate(c.objects, from)}, []metav1.Condition{c.want}); diff != "" {
					t.Fatal(diff)
				}
			}
		})
	}
}
