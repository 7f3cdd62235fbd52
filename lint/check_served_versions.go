package lint

import (
	"fmt"
	"regexp"

	"kstatus.dev/severity"
)

var servedVersions = &Check{
	ID: "L-09", Name: "served-versions", Severity: severity.Error,
	Doc: `all served versions have the same observedGeneration and the same defaults of it

A client may read any served version. In one without the field, or without its
default, the race is open although it is closed in the others, and a conversion
between them loses the field or makes one up. The API server applies the defaults
of the version that is asked for ("Defaulting" in the documentation of custom
resources).

Repair: the same field and the same defaults in each version. Where a webhook
converts, it has to carry the field. Versions of early days that are only kept
are the matter of legacy-version.`,
	Version: func(p *Pass, v Version) {
		ref, ok := v.reference()
		if !ok || v.legacyWithout() {
			return
		}
		s, model := v.Status(), ref.Status().Property("observedGeneration")
		switch {
		case !v.hasGeneration() && ref.hasGeneration():
			p.Report(Finding{
				Path:       s.Path.With("properties"),
				Message:    "the status has no observedGeneration, in version " + ref.Name + " it has",
				Suggestion: "observedGeneration as in " + ref.Name,
				Fix:        &Fix{Edits: s.fieldEdits("observedGeneration", copied(model)), Unsafe: s.holdsAnything(), Note: "a webhook that converts has to carry it"},
			})
		case raceOpen(v) && ref.saysUnseen() && !v.unreachable():
			p.Report(Finding{
				Path:       s.Path,
				Message:    "a new object counts as done in this version, in " + ref.Name + " it does not",
				Suggestion: "the same defaults as in " + ref.Name,
				Fix:        p.raceFix(v),
			})
		default:
			p.differing(v, ref)
		}
	},
}

// differing reports that new objects read different observed generations.
func (p *Pass) differing(v, ref Version) {
	have, want := v.observedOf(nil), ref.observedOf(nil)
	if have == nil || want == nil || same(have, want) || !ref.saysUnseen() {
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
		Message:    fmt.Sprintf("a new object reads observedGeneration %v, in version %s %v", have, ref.Name, want),
		Suggestion: fmt.Sprintf("default: %v", want),
		Fix:        fix,
	})
}

// reference returns the served version that the others have to follow: one in
// which the race is closed, else one that has an observedGeneration, of several
// the storage version. It is false for that version itself.
func (v Version) reference() (Version, bool) {
	family := v.CRD.family()
	for _, first := range [][]int{family.closed, family.generation} {
		if len(first) > 0 {
			o := family.served[first[0]]
			return o, o.Path.String() != v.Path.String() && object(v.Status().Node, "properties") != nil
		}
	}
	return v, false
}

// saysUnseen reports whether a new object says that nobody has looked at it,
// rather than that somebody has.
func (v Version) saysUnseen() bool {
	seen, ok := number(v.observedOf(nil))
	return !raceOpen(v) && (!ok || seen <= 0)
}

// copied returns the schema of a field without its default.
func copied(s Schema) map[string]any {
	node, _ := clone(s.Node).(map[string]any)
	delete(node, "default")
	return node
}

var early = regexp.MustCompile(`^v[0-9]+(alpha|beta)[0-9]+$`)

// legacyWithout reports whether the version is one of early days that is still
// served, converts by name only, and lacks the observedGeneration that others have.
func (v Version) legacyWithout() bool {
	strategy := text(object(v.CRD.Raw, "spec", "conversion"), "strategy")
	return !v.Storage && early.MatchString(v.Name) && (strategy == "" || strategy == "None") &&
		object(v.Status().Node, "properties") != nil && !v.hasGeneration() && v.generationElsewhere()
}
