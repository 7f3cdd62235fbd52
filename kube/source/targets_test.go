package source

import (
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A told is what was reported, in short: name@version, name gone, name! for one
// that cannot be read, and * for a selection that is complete.
type told struct{ lines []string }

func (w *told) saw(s observe.Sighting) bool {
	name := s.Target.Name
	if s.Target.IsSelection() {
		name = "*"
	}
	switch {
	case s.Err != nil:
		name += "!"
	case s.Object != nil:
		name += "@" + s.Object.(*unstructured.Unstructured).GetResourceVersion()
	case !s.Target.IsSelection():
		name += " gone"
	}
	w.lines = append(w.lines, name)
	return true
}

// does what a stream would: "+a5" sees a as of version 5, "-a7" loses it as of
// 7, "(" begins a list and ")9" ends it as of 9, "!" is trouble, "~" forgets.
func play(v subset, steps string) {
	for _, step := range strings.Fields(steps) {
		name, version := step[1:], ""
		if len(step) > 2 {
			name, version = step[1:2], step[2:]
		}
		switch step[0] {
		case '+':
			u := &unstructured.Unstructured{}
			u.SetNamespace("x")
			u.SetName(name)
			u.SetResourceVersion(version)
			v.See(u)
		case '-':
			n, _ := strconv.ParseUint(version, 10, 64)
			v.Lose("x", name, n)
		case '(':
			v.Begin()
		case ')':
			n, _ := strconv.ParseUint(step[1:], 10, 64)
			v.End(n)
		case '!':
			v.Fail(&observe.Unreadable{Reason: "Transport"}, nil)
		case '~':
			v.Forget()
		}
	}
}

func TestWhatIsToldOfTargets(t *testing.T) {
	kind := status.Kind{Kind: "ConfigMap"}
	rows := []struct {
		it    string
		of    observe.Target // a selection, if it is one
		names string
		steps string
		want  string
	}{
		{"tells each once", observe.Target{}, "a", "( +a5 )9 ( +a5 )12", "a@5"},
		{"tells that one is not there once", observe.Target{}, "a", "( )9 ( )12", "a gone"},
		{"tells nothing of others", observe.Target{}, "a", "( +a5 +b6 )9 +b10 -b11", "a@5"},
		{"tells changes", observe.Target{}, "a", "( +a5 )9 +a10 +a11", "a@5, a@10, a@11"},
		{"tells that it was deleted", observe.Target{}, "a", "( +a5 )9 -a10", "a@5, a gone"},
		{"tells of a deletion that only the list knows", observe.Target{}, "a", "( +a5 )9 ( )12", "a@5, a gone"},
		{"does not go back in time", observe.Target{}, "a", "( +a5 )9 +a11 +a10 ( +a5 )12", "a@5, a@11"},
		{"does not take an old deletion for the end of a new object", observe.Target{}, "a", "( +a5 )9 +a11 -a10", "a@5, a@11"},
		{"does not see again what has gone since", observe.Target{}, "a", "( +a5 )9 -a12 +a11", "a@5, a gone"},
		{"sees it again when it comes back", observe.Target{}, "a", "( +a5 )9 -a12 +a14", "a@5, a gone, a@14"},
		{"tells all anew after trouble", observe.Target{}, "a", "( +a5 )9 ! ( +a5 )12", "a@5, a!, a@5"},
		{"tells anew after trouble that one is not there", observe.Target{}, "a", "( )9 ! ( )12", "a gone, a!, a gone"},
		{"goes on where versions cannot be compared", observe.Target{}, "a", "( +ax )x +ay +az", "a@x, a@y, a@z"},
		{"begins anew when the server has", observe.Target{}, "a", "( +a50 )90 ~ ( +a5 )9", "a@50, a@5"},
		{"tells what a selection has, and when that is all", observe.Target{Kind: kind, Namespace: "x"}, "", "( +a5 )9", "a@5, *"},
		{"tells that a selection has nothing", observe.Target{Kind: kind, Namespace: "x"}, "", "( )9", "*"},
		{"tells what has left a selection", observe.Target{Kind: kind, Namespace: "x"}, "", "( +a5 )9 -a10", "a@5, *, a gone"},
		{"tells what has left a selection when that is listed", observe.Target{Kind: kind, Namespace: "x"}, "", "( +a5 )9 ( )12", "a@5, *, a gone, *"},
		{"tells a selection of trouble", observe.Target{Kind: kind, Namespace: "x"}, "", "( +a5 )9 !", "a@5, *, a!, *!"},
	}
	for _, row := range rows {
		w := &told{}
		r := &targetStore{kind: kind, selection: row.of, reportEvent: w.saw, states: map[listwatch.Key]targetState{}}
		for _, name := range strings.Fields(row.names) {
			r.states[listwatch.Key{Namespace: "x", Name: name}] = targetState{pending: true}
		}
		play(subset{r, client.Scope{Mapping: &meta.RESTMapping{Scope: meta.RESTScopeNamespace}, Namespace: "x"}}, row.steps)
		if have := strings.Join(w.lines, ", "); have != row.want {
			t.Errorf("it %s: have %s, want %s", row.it, have, row.want)
		}
	}
}

func TestTargetsWithoutANamespace(t *testing.T) {
	w := &told{}
	r := &targetStore{defaultNamespace: "x", reportEvent: w.saw, states: map[listwatch.Key]targetState{{Name: "a"}: {}, {Namespace: "x", Name: "a"}: {}, {Namespace: "y", Name: "a"}: {}}}
	play(subset{r, client.Scope{Mapping: &meta.RESTMapping{Scope: meta.RESTScopeNamespace}, Namespace: "x"}}, "( +a5 )9")
	if have := strings.Join(w.lines, ", "); have != "a@5, a@5" {
		t.Errorf("have %s, want the object told as both of the targets that it is", have)
	}
}
