package explain

import (
	"slices"
	"strings"
	"testing"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// checkEvidence reports evidence that is not among the facts. It may name an unknown object, a
// field that does not exist, or a missing event, log or lookup. Evidence may report a field as not
// set.
func checkEvidence(t *testing.T, file string, f *Facts, e *Explanation) {
	t.Helper()
	for _, c := range e.Causes {
		for _, ev := range c.Evidence {
			if why := f.missingEvidence(ev); why != "" {
				t.Errorf("%s: %s %q: evidence %+v: %s", file, c.Kind, c.Text, ev, why)
			}
		}
	}
}

// missingEvidence returns why evidence is not among the facts, or "".
func (f *Facts) missingEvidence(ev Evidence) string {
	i := slices.IndexFunc(f.Objects, func(o ObjectFact) bool { return o.ID == ev.Object && o.Object != nil })
	var of status.Map
	if i >= 0 {
		of = f.Objects[i].Object
	}
	known := slices.ContainsFunc(f.Objects, func(o ObjectFact) bool { return o.ID == ev.Object })
	isSaid := func(e Event) bool { return strings.HasPrefix(ev.Value, show.Line(e.Type+" "+e.Reason)) }
	switch {
	case ev.From == OriginEvent && !slices.ContainsFunc(f.Events, isSaid):
		return "there is no such event"
	case ev.From == OriginLog && of == nil && !slices.ContainsFunc(f.Logs, func(l Log) bool { return l.Pod == ev.Object }):
		return "there is no such log"
	case ev.From == OriginLookup && ev.Value == "not found" && (of != nil || !known):
		return "it was not looked up, or was found"
	case ev.Path == "" || ev.From != OriginSpec && ev.From != OriginStatus:
		return ""
	case of == nil:
		return "the object is not known"
	}
	value, inItem := lookUp(of, strings.TrimPrefix(ev.Path, "."))
	switch isUnset := strings.HasPrefix(ev.Value, "not set"); {
	case value != nil && isUnset:
		return "it is set"
	case value == nil && !isUnset:
		return "it is not set"
	case value == nil && !inItem:
		return "it is in an item that does not exist"
	}
	return ""
}

// lookUp returns the value at a path. If the value is not set, lookUp reports whether all
// list items on the path exist.
func lookUp(of map[string]any, path string) (value any, inItem bool) {
	for at, rest := "", path; ; {
		i := strings.Index(rest, "].")
		if i < 0 {
			return fields.Section{Map: of}.Get(path), true
		}
		at, rest = at+rest[:i+1], rest[i+1:]
		if (fields.Section{Map: of}).Get(at) == nil {
			return nil, false
		}
	}
}

func TestEvidenceThatDoesNotExistIsFound(t *testing.T) {
	f := &Facts{
		Objects: []ObjectFact{
			{ID: status.ID{Kind: status.Kind{Kind: "Pod"}, Name: "a"}, Object: status.Map{"spec": map[string]any{"containers": []any{map[string]any{"name": "app", "image": "a:1"}}}}},
			{ID: status.ID{Kind: status.Kind{Kind: "Secret"}, Name: "b"}, Result: status.Result{Status: status.NotFoundStatus}},
		},
		Events: []Event{{Type: "Warning", Reason: "BackOff"}},
	}
	a := status.ID{Kind: status.Kind{Kind: "Pod"}, Name: "a"}
	for _, row := range []struct {
		ev  Evidence
		why string
	}{
		{Evidence{OriginSpec, a, ".spec.containers[app].image", "a:1", nil, ""}, ""},
		{Evidence{OriginSpec, a, ".spec.containers[app].resources.requests.cpu", "not set", nil, ""}, ""},
		{Evidence{OriginSpec, a, ".spec.containers[app].image", "not set", nil, ""}, "it is set"},
		{Evidence{OriginSpec, a, ".spec.nodeName", "n", nil, ""}, "it is not set"},
		{Evidence{OriginSpec, a, ".spec.containers[wget].image", "not set", nil, ""}, "it is in an item that does not exist"},
		{Evidence{OriginSpec, a, ".spec.containers[wget]", "not set", nil, ""}, ""},
		{Evidence{OriginSpec, status.ID{Kind: status.Kind{Kind: "Pod"}, Name: "c"}, ".spec", "not set", nil, ""}, "the object is not known"},
		{Evidence{OriginLookup, a, "", "not found", nil, ""}, "it was not looked up, or was found"},
		{Evidence{OriginLookup, status.ID{Kind: status.Kind{Kind: "Secret"}, Name: "b"}, "", "not found", nil, ""}, ""},
		{Evidence{OriginEvent, a, "", "Warning BackOff no", nil, ""}, ""},
		{Evidence{OriginEvent, a, "", "Warning Killing no", nil, ""}, "there is no such event"},
		{Evidence{OriginLog, status.ID{Kind: status.Kind{Kind: "Pod"}, Name: "c"}, "", "", nil, "app"}, "there is no such log"},
	} {
		t.Run(text.Cut(row.ev.Path+row.ev.Value, 60), func(t *testing.T) {
			if why := f.missingEvidence(row.ev); why != row.why {
				t.Errorf("%+v: %q, want %q", row.ev, why, row.why)
			}
		})
	}
}
