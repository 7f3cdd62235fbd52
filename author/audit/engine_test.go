package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kstatus.dev/author/severity"
)

// TestEngine checks the input of rules for streams: the versions, their
// predecessors, writers and requests.
func TestEngine(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		order        []int // the order of delivery; empty: the order of the stream
		want         string
	}{
		{name: "it reports changes and writers", stream: `
+0s create kubectl {"spec":{"color":"red"}}
+1s status lamp og=1
+1s spec kubectl {"spec":{"color":"blue"}}`,
			want: "101 by kubectl whole; 101-102 by lamp status whole; 102-103 by kubectl whole"},
		{name: "it recognizes existing objects", stream: `
+0s existing {"spec":{"color":"red"}}
+1s status lamp og=1`,
			want: "101 existing; 101-102 by lamp status"},
		{name: "it reports no change across a gap", stream: `
+0s create kubectl
+1s gap
+1s status lamp og=1
+1s status lamp og=2`,
			want: "101 by kubectl whole; 102 by lamp status existing; 102-103 by lamp status"},
		{name: "it recognizes another object by its UID", stream: `
+0s create kubectl
+1s delete kubectl
+1s create kubectl`,
			want: "101 by kubectl whole; 101-102 gone whole; 103 by kubectl whole"},
		{name: "it recognizes another object although no deletion was seen", stream: `
+0s create kubectl
+0s delete kubectl
+1s create kubectl`, order: []int{0, 2},
			want: "101 by kubectl whole; 103 by kubectl whole"},
		{name: "it orders versions", stream: `
+0s create kubectl
+0s status lamp og=1
+0s status lamp og=2`, order: []int{2, 0, 1},
			want: "101 by kubectl whole; 101-102 by lamp status whole; 102-103 by lamp status whole"},
		{name: "it ignores a version that comes too late", stream: `
+0s create kubectl
+1s status lamp og=1
+1s status lamp og=2
+9s tick`, order: []int{0, 2, 3, 1},
			want: "101 by kubectl whole; 101-103 by lamp status whole"},
		{name: "it merges a version from a watch and from a request", stream: `
+0s create kubectl
+1s status lamp og=1
+0.3s asks lamp request=200,patch subresource=status`,
			want: "101 by kubectl whole; 101-102 by lamp status whole; asked patch made 102"},
		{name: "it merges them if the request comes later", stream: `
+0s create kubectl
+1s status lamp og=1
+0.5s tick
+0.5s tick
+0s asks lamp request=200,patch subresource=status`,
			want: "101 by kubectl whole; 101-102 by lamp status whole; asked patch made 102"},
		{name: "it reports a request that changed nothing", stream: `
+0s create kubectl request=201,create
+5s asks lamp request=200,patch`,
			want: "101 by kubectl whole; asked create made 101; asked patch kept 101"},
		{name: "it reports a rejected request", stream: `
+0s create kubectl
+5s asks lamp request=409,update`,
			want: "101 by kubectl whole; asked update kept 101"},
		{name: "it reports a request for a deleted object", stream: `
+0s create kubectl
+1s delete kubectl
+5s asks lamp request=404,update`,
			want: "101 by kubectl whole; 101-102 gone whole; asked update kept "},
		{name: "it reports at the former time after the clock steps back", stream: `
+0s create kubectl
+1h status lamp og=1
+-30m status lamp og=2`,
			want: "101 by kubectl whole; 101-102 by lamp status whole; 102-103 by lamp status whole"},
	} {
		t.Run(c.name, func(t *testing.T) {
			stream := parseStream(t, c.stream)
			if c.order == nil {
				c.order = make([]int, len(stream))
				for i := range stream {
					c.order[i] = i
				}
			}
			var calls []string
			a := New(Options{Rules: []*Rule{recordingRule(&calls)}})
			for _, i := range c.order {
				a.Add(stream[i])
			}
			a.Findings()
			if have := strings.Join(calls, "; "); have != c.want {
				t.Errorf("told\n%s\nwant\n%s", have, c.want)
			}
		})
	}
}

// recordingRule is a rule that records its calls.
func recordingRule(calls *[]string) *Rule {
	return &Rule{ID: "P-1", Severity: severity.Info, OnVersion: func(p *Pass) {
		var b strings.Builder
		if p.Old != nil {
			fmt.Fprintf(&b, "%s-", p.Old.ResourceVersion)
		}
		b.WriteString(p.New.ResourceVersion)
		if p.New.Manager != "" {
			b.WriteString(" by " + p.New.Manager)
		}
		for _, is := range []struct {
			what string
			so   bool
		}{{"status", p.New.StatusWrite}, {"existing", p.New.Existing}, {"gone", p.New.Gone}, {"whole", p.SeenFromCreation()}} {
			if is.so {
				b.WriteString(" " + is.what)
			}
		}
		*calls = append(*calls, b.String())
	}, OnRequest: func(p *Pass) {
		did := "made"
		if p.Unchanged {
			did = "kept"
		}
		*calls = append(*calls, fmt.Sprintf("asked %s %s %s", p.Request.Verb, did, p.New.ResourceVersion))
	}}
}

// Times that a controller writes are compared with the time at which the write
// was seen. This holds even if a clock that goes back delays everything else.
func TestClockSteppingBack(t *testing.T) {
	got := violatedRules(t, Options{Rules: []*Rule{transitionTimeKept, transitionTimeWrong}}, `
+0s other:create kubectl
+1h other:status lamp og=1 Ready=Unknown/Pending
+-1h create kubectl
+0s status lamp og=1 Ready=Unknown/Pending
+0.7s status lamp {"status":{"conditions":[{"type":"Ready","status":"True","reason":"On","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}
+1s status lamp {"status":{"conditions":[{"type":"Ready","status":"True","reason":"On","message":"","lastTransitionTime":"2026-01-01T00:30:00Z"}]}}`)
	if !slices.Equal(got, []string{"W-14"}) {
		t.Errorf("it breaks %v, want W-14 for the time half an hour ahead", got)
	}
}

// A time that was never written is missing, rather than an empty string.
func TestMissingTransitionTime(t *testing.T) {
	a := New(Options{Rules: []*Rule{transitionTimeWrong}})
	for _, w := range parseStream(t, `
+0s create kubectl
+1s status lamp og=1 {"status":{"conditions":[{"type":"Ready","status":"True","reason":"On","message":""}]}}`) {
		a.Add(w)
	}
	if all := a.Findings(); len(all) != 1 || all[0].Evidence != "is missing" {
		t.Errorf("the findings are %+v", all)
	}
}

// Requests may have nothing but the name of their object.
func TestRequestsWithoutAnObject(t *testing.T) {
	stream := parseStream(t, `
+0s create kubectl
+1s status lamp og=1
+1s other:create kubectl`)
	name := map[string]any{"apiVersion": "example.com/v1", "kind": "Lamp", "metadata": map[string]any{"name": "lamp", "namespace": "shop"}}
	end := stream[2].Time.Add(time.Minute)
	stream = append(stream, Write{Type: WriteDeleted, Time: end, Object: name, Request: &Request{Verb: "delete", Code: 200}},
		Write{Type: WriteModified, Time: end.Add(time.Second), Object: name, Request: &Request{Verb: "update", Code: 404}},
		Write{Type: WriteModified, Time: end.Add(2 * time.Second), Object: map[string]any{"kind": "Lamp"}})
	var calls []string
	a := New(Options{Rules: []*Rule{recordingRule(&calls)}})
	for _, w := range stream {
		a.Add(w)
	}
	r := a.Report()
	const want = "101 by kubectl whole; 101-102 by lamp status whole; 103 by kubectl whole; asked delete kept 102; asked update kept "
	if have := strings.Join(calls, "; "); have != want {
		t.Errorf("told\n%s\nwant\n%s", have, want)
	}
	if r.Coverage.Requests != 2 || r.Coverage.Unreadable != 1 {
		t.Errorf("coverage is %+v, want 2 requests and one unreadable object", r.Coverage)
	}
}

// TestReportsDoNotDependOnInterleaving plays all cases together,
// each in its own namespace, in different orders. The order within each case
// stays the same.
func TestReportsDoNotDependOnInterleaving(t *testing.T) {
	var streams [][]Write
	for _, r := range Rules {
		c := caseOf(t, r)
		for _, stream := range slices.Concat(c.breaks, c.keeps) {
			if !strings.Contains(stream, " gap") {
				streams = append(streams, inNamespace(parseStream(t, stream), "house-"+strconv.Itoa(len(streams)), len(streams)))
			}
		}
	}
	var want []byte
	for seed := range uint64(4) {
		a, random := New(Options{Limits: Limits{ReorderWindow: 1000 * time.Hour}}), rand.New(rand.NewPCG(seed, 0))
		for left := slices.Clone(streams); len(left) > 0; {
			i := random.IntN(len(left))
			a.Add(left[i][0])
			if left[i] = left[i][1:]; len(left[i]) == 0 {
				left = slices.Delete(left, i, i+1)
			}
		}
		have, err := json.Marshal(a.Report())
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = have
		}
		if !bytes.Equal(have, want) {
			t.Fatalf("order %d gives another report", seed)
		}
	}
	if n := bytes.Count(want, []byte(`"rule":`)); n < len(Rules) {
		t.Errorf("the report has %d findings, want one of each of %d rules at least", n, len(Rules))
	}
}

func TestEveryCaseHasItsRule(t *testing.T) {
	files, err := filepath.Glob("testdata/*.case")
	if err != nil || len(files) != len(Rules) {
		t.Errorf("%d cases (%v) for %d rules", len(files), err, len(Rules))
	}
	ids, names := map[string]bool{}, map[string]bool{}
	for _, r := range Rules {
		if ids[r.ID] || names[r.Name] {
			t.Errorf("%s %s: another rule has this ID or name", r.ID, r.Name)
		}
		ids[r.ID], names[r.Name] = true, true
	}
}
