package check

import (
	"encoding/json"
	"testing"

	"kstatus.dev/author/lint"
)

// FuzzChecks puts arbitrary JSON where the checks expect a definition, an
// object and a field of one. No check panics or changes its input, each fix
// applies, and a second run has the same findings.
func FuzzChecks(f *testing.F) {
	for _, o := range base().Objects {
		data, _ := json.Marshal(o)
		f.Add(data, uint8(0))
	}
	for i, seed := range []string{`null`, `[]`, `{}`, `"\u202e"`, `{"type":null}`, `[null,{"type":1}]`, `{"a":{"a":{"a":[]}}}`, `-1e400`} {
		f.Add([]byte(seed), uint8(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, where uint8) {
		var v any
		if json.Unmarshal(data, &v) != nil {
			return
		}
		b := base()
		if o, isObject := v.(map[string]any); isObject {
			b.Objects = append(b.Objects, o)
		}
		hostile := [][]any{{"spec"}, {"status"}, {"metadata"}, {"status", "conditions"}, {"spec", "versions"}, {"metadata", "labels"}, {"metadata", "ownerReferences"}, {"rules"}, {"releaseSeries"}}
		for i, o := range b.Objects {
			if changed, err := lint.Apply(o, lint.Edit{Op: lint.OpAdd, Path: hostile[int(where)%len(hostile)], Value: v}); err == nil && i%3 == int(where)%3 {
				b.Objects[i] = changed
			}
		}
		before, _ := json.Marshal(b.Objects)
		options := Options{Complete: where%2 == 0, Secrets: where%2 == 0, Release: "v0.2.0"}
		all := runChecks(b, options)
		for _, found := range all {
			if found.Fix == nil {
				continue
			}
			if _, err := lint.Apply(b.Objects[found.Object], found.Fix.Edits...); err != nil {
				t.Errorf("%s: %s: the fix does not apply: %v", found.Check, found.Message, err)
			}
		}
		first, _ := json.Marshal(all)
		second, _ := json.Marshal(runChecks(b, options))
		if string(first) != string(second) {
			t.Errorf("two runs differ:\n%s\n%s", first, second)
		}
		if after, _ := json.Marshal(b.Objects); string(after) != string(before) {
			t.Error("the checks have changed the objects")
		}
	})
}
