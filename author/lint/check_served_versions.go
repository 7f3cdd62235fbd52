package lint

import (
	"fmt"
	"regexp"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var servedVersions = &Check{
	ID: "L-09", Name: "served-versions", Severity: severity.Error,
	Doc: `all served versions have the same observedGeneration with the same defaults

A client may read any served version. In a version without the field or without its
default, the creation race is open although it is closed in the others. A conversion
between versions loses the field or invents a value. The API server applies the defaults
of the requested version ("Defaulting" in the documentation of custom
resources).

Fix: the same field and the same defaults in each version. A conversion webhook has
to convert the field. The check legacy-version covers old versions.`,
	Version: func(p *Pass, v Version) {
		ref, ok := v.reference()
		if !ok || v.lacksObservedGeneration() {
			return
		}
		s, model := v.Status(), ref.Status().Property("observedGeneration")
		switch {
		case !v.hasGeneration() && ref.hasGeneration():
			p.Report(Finding{
				Path:       s.Path.With("properties"),
				Message:    "the status has no observedGeneration, unlike version " + ref.Name,
				Suggestion: "observedGeneration as in " + ref.Name,
				Fix:        &Fix{Edits: s.fieldEdits("observedGeneration", withoutDefault(model)), Unsafe: s.allowsAnything(), Risk: unknownFieldRisk, Note: "a conversion webhook has to convert it"},
			})
		case raceOpen(v) && ref.defaultsToUnobserved() && !v.unreachable():
			p.Report(Finding{
				Path:       s.Path,
				Message:    "a new object counts as done in this version, but not in " + ref.Name,
				Suggestion: "the same defaults as in " + ref.Name,
				Fix:        p.raceFix(v),
			})
		default:
			p.reportDifferent(v, ref)
		}
	},
}

// reportDifferent reports that new objects have different observed generations.
func (p *Pass) reportDifferent(v, ref Version) {
	have, want := v.observedOf(nil), ref.observedOf(nil)
	if have == nil || want == nil || equalValues(have, want) || !ref.defaultsToUnobserved() {
		return
	}
	s := v.Status()
	var edits []Edit
	if d, ok := s.Node["default"].(map[string]any); ok && d["observedGeneration"] != nil {
		edits = append(edits, Edit{OpReplace, s.Path.With("default", "observedGeneration"), want})
	}
	if og := s.Property("observedGeneration"); og.Node["default"] != nil {
		edits = append(edits, Edit{OpReplace, og.Path.With("default"), want})
	}
	fix := &Fix{Edits: edits}
	if !p.closesRace(v, edits) {
		fix = nil
	}
	p.Report(Finding{
		Path:       s.Path,
		Message:    fmt.Sprintf("a new object has observedGeneration %v, but %v in version %s", have, want, ref.Name),
		Suggestion: fmt.Sprintf("default: %v", want),
		Fix:        fix,
	})
}

// reference returns the served version that the others have to match: one without the race, else
// one with an observedGeneration; of several the storage version. It is false for that version
// itself.
func (v Version) reference() (Version, bool) {
	family := v.CRD.family()
	for _, first := range [][]int{family.withoutRace, family.generation} {
		if len(first) > 0 {
			o := family.served[first[0]]
			return o, o.Path.String() != v.Path.String() && decoded.Map(v.Status().Node, "properties") != nil
		}
	}
	return v, false
}

// defaultsToUnobserved reports whether the defaults mark a new object as not observed.
func (v Version) defaultsToUnobserved() bool {
	seen, ok := number(v.observedOf(nil))
	return !raceOpen(v) && (!ok || seen <= 0)
}

// withoutDefault returns the schema of a field without its default.
func withoutDefault(s Schema) map[string]any {
	node, _ := clone(s.Node).(map[string]any)
	delete(node, "default")
	return node
}

var prerelease = regexp.MustCompile(`^v[0-9]+(alpha|beta)[0-9]+$`)

// lacksObservedGeneration reports whether the version is old, served and converted by name only,
// and lacks the observedGeneration of the others.
func (v Version) lacksObservedGeneration() bool {
	strategy := decoded.Text(v.CRD.Raw, "spec", "conversion", "strategy")
	return !v.Storage && prerelease.MatchString(v.Name) && (strategy == "" || strategy == "None") &&
		decoded.Map(v.Status().Node, "properties") != nil && !v.hasGeneration() && v.hasSiblingWithGeneration()
}
