package lint

import (
	"maps"
	"regexp"
	"slices"
)

// refusesNegative recognizes the usual rules in CEL that no negative number meets.
var refusesNegative = regexp.MustCompile(`^\s*self\s*(>=\s*[0-9]|>\s*[0-9]|>\s*-1\b)`)

// The notes of the ways to close the race.
const (
	writesIt = "the default also shows on objects that are stored without a status: its controller has to write " +
		"observedGeneration on every object in the end, paused ones too, or they stay InProgress; `kstatus audit` tells"
	hasToWrite = "its controller has to write observedGeneration on every object, or each stays InProgress for ever; " +
		"change it first, then look with `kstatus audit`"
	firstOnly = "it closes the time before the first write only; the controller has to write Ready, and finds it Unknown where it found nothing"
)

// raceFix returns the fix that closes the race of a version; nil if there is none.
// It is safe only if the race of each other served version has a safe fix too:
// versions that differ are worse than versions with the same race.
func (p *Pass) raceFix(v Version) *Fix { return p.raceFixForAll(v, p.raceFixAlone(v)) }

// raceFixForAll makes a fix unsafe if another served version has no safe fix.
func (p *Pass) raceFixForAll(v Version, fix *Fix) *Fix {
	if fix == nil || fix.Unsafe {
		return fix
	}
	if other, is := p.withoutSafeFix(v); is {
		apart := *fix
		apart.Unsafe, apart.Note = true, "version "+other.Name+" would be left behind, which has no safe fix; "+fix.Note
		return &apart
	}
	return fix
}

// raceFixAlone returns the fix that closes the race of one version: of those that the
// schema permits and that close it, the one that changes least for users.
//
//   - A default of -1 for an observedGeneration that the kind is known to have
//     is safe: it is the first thing that kstatus compares.
//   - The same for one that is new is for the owner of the definition, whose
//     controller has to write it. For anybody else a condition Ready that is
//     Unknown from the start is the safe way, if the controller writes Ready.
//   - Where a minimum or required fields are in the way, Ready again; else
//     relaxing them, which users of the API see.
func (p *Pass) raceFixAlone(v Version) *Fix {
	known := v.hasGeneration() || v.generationElsewhere()
	observed := &Fix{Edits: v.observedEdits(false), Unsafe: !v.hasGeneration() && v.Status().holdsAnything(), Note: writesIt}
	if !known {
		observed.ChangesController, observed.Note = true, hasToWrite
	}
	if !v.StatusSubresource() {
		observed.Unsafe, observed.Note = true, neverCatchesUp
	}
	var ready *Fix
	if edits := v.readyEdits(); edits != nil && p.writesReady(v) {
		ready = &Fix{Edits: edits, Note: firstOnly}
	}
	wider := &Fix{Edits: v.observedEdits(true), Unsafe: true, ChangesController: !known,
		Note: "clients that were generated from the old schema may refuse -1 or an empty status; " + observed.Note}
	order := []*Fix{observed, ready, wider}
	if !known && p.Options.Foreign {
		order = []*Fix{ready, observed, wider}
	}
	var asks *Fix
	for _, f := range order {
		switch {
		case f == nil || !p.closesRace(v, f.Edits):
		case !f.Unsafe:
			return f
		case asks == nil:
			asks = f
		}
	}
	return asks
}

// closesRace reports whether the edits give the version valid defaults that close the race.
func (p *Pass) closesRace(v Version, edits []Edit) bool {
	after, ok := v.after(edits)
	return ok && !raceOpen(after) && after.defaultsHold() && p.accepted(v, edits)
}

// after returns the version after edits.
func (v Version) after(edits []Edit) (Version, bool) {
	if len(edits) == 0 {
		return v, false
	}
	within := make([]Edit, len(edits)) // the version
	for i, e := range edits {
		if len(e.Path) <= len(v.Path) || !slices.Equal(e.Path[:len(v.Path)], v.Path) {
			return v, false
		}
		within[i] = Edit{e.Op, e.Path[len(v.Path):], e.Value}
	}
	changed, err := Apply(v.Raw, within...)
	if err != nil {
		return v, false
	}
	now := readVersion(changed, v.Path)
	now.CRD = v.CRD
	return now, true
}

// defaultsHold reports whether the defaults of the status are valid, and whether
// the status that a new object gets from them is.
func (v Version) defaultsHold() bool {
	s := v.Status()
	if d, has := s.Node["default"]; has && s.Refusal(d) != "" {
		return false
	}
	og := s.Property("observedGeneration")
	d, has := og.Node["default"]
	return !has || og.Refusal(d) == ""
}

// accepted reports whether the API server would refuse no more than before the edits.
// Only Options.Schemas can tell for rules in CEL over the status, so it is called only
// if there are some.
func (p *Pass) accepted(v Version, edits []Edit) bool {
	s := v.Status()
	if s.Node["x-kubernetes-validations"] == nil && s.Property("observedGeneration").Node["x-kubernetes-validations"] == nil {
		return true
	}
	if p.Options.Validator == nil {
		return blocksDefault(s.Property("observedGeneration")) == ""
	}
	p.index.settled.wide = true
	changed, err := Apply(v.CRD.Raw, edits...)
	return err == nil && len(p.Options.Validator.Validate(changed)) <= len(p.Options.Validator.Validate(v.CRD.Raw))
}

// observedEdits returns what makes a new object read observedGeneration -1, and
// one with a part of a status as well; if relax, also what stands in the way.
func (v Version) observedEdits(relax bool) (edits []Edit) {
	s := v.Status()
	og := s.Property("observedGeneration")
	if relax {
		edits = append(edits, relaxed(og)...)
		if _, there := s.Node["required"]; there {
			edits = append(edits, Edit{OpRemove, s.Path.With("required"), nil})
		}
	}
	switch d := og.Node["default"]; {
	case !og.Exists():
		edits = append(edits, s.fieldEdits("observedGeneration", map[string]any{"type": "integer", "format": "int64", "default": int64(-1)})...)
	case !same(d, int64(-1)):
		edits = append(edits, Edit{OpAdd, og.Path.With("default"), int64(-1)})
	}
	if d, ok := s.Node["default"].(map[string]any); !ok {
		edits = append(edits, Edit{OpAdd, s.Path.With("default"), s.smallestDefault(relax)})
	} else if seen, there := d["observedGeneration"]; there && !same(seen, int64(-1)) {
		edits = append(edits, Edit{OpAdd, s.Path.With("default", "observedGeneration"), int64(-1)})
	}
	return edits
}

// smallestDefault returns the smallest status that may be a default: {} if that is
// valid, else with the required fields that have a default, else with
// observedGeneration -1 too. The API server validates a default as it is, without
// what the defaults of its fields would add.
func (s Schema) smallestDefault(relax bool) map[string]any {
	node := maps.Clone(s.Node)
	if relax {
		delete(node, "required")
	}
	least := map[string]any{}
	for _, name := range texts(node["required"]) {
		d, has := s.Property(name).Node["default"]
		eachClaim(name, d, nil, func(Path, string) { has = false }) // positive-default would take it away again
		if has && name != "observedGeneration" {
			least[name] = clone(d)
		}
	}
	delete(node, "properties") // their own validity is looked at with the rest
	if (Schema{Node: node}.Refusal(least)) != "" {
		least["observedGeneration"] = int64(-1)
	}
	return least
}

// holdsAnything reports whether stored objects may have a field that the schema
// does not name, of any type.
func (s Schema) holdsAnything() bool {
	return s.Node["x-kubernetes-preserve-unknown-fields"] == true || s.Node["additionalProperties"] != nil
}

// fieldEdits returns what adds a field to the schema of an object.
func (s Schema) fieldEdits(name string, field map[string]any) []Edit {
	if object(s.Node, "properties") == nil {
		return []Edit{{OpAdd, s.Path.With("properties"), map[string]any{name: field}}}
	}
	return []Edit{{OpAdd, s.Path.With("properties", name), field}}
}

// relaxed returns what lets an observedGeneration be -1; nil if nothing is in
// the way that can be relaxed.
func relaxed(og Schema) (edits []Edit) {
	if blocksDefault(og) != "minimum" {
		return nil
	}
	edits = []Edit{{OpReplace, og.Path.With("minimum"), int64(-1)}}
	if og.Node["exclusiveMinimum"] == true {
		edits = append(edits, Edit{OpRemove, og.Path.With("exclusiveMinimum"), nil})
	}
	return edits
}

// readyEdits returns what makes a new object read a condition Ready that is
// Unknown; nil if the status has no list of conditions.
func (v Version) readyEdits() []Edit {
	s := v.Status()
	list := s.Property("conditions")
	fields := object(list.Node, "items", "properties")
	if list.Type() != "array" || fields == nil {
		return nil
	}
	// The time has to be a constant, and one that nobody takes for the truth.
	ready := map[string]any{"type": "Ready", "status": "Unknown", "reason": "NotYetReconciled",
		"message": "its controller has not observed it yet", "lastTransitionTime": "1970-01-01T00:00:00Z"}
	for field := range ready {
		if fields[field] == nil {
			delete(ready, field)
		}
	}
	conditions := []any{ready}
	switch d := s.Node["default"].(type) {
	case nil:
		return []Edit{{OpAdd, s.Path.With("default"), map[string]any{"conditions": conditions}}}
	case map[string]any:
		have, _ := d["conditions"].([]any)
		if slices.ContainsFunc(have, func(c any) bool { m, _ := c.(map[string]any); return text(m, "type") == "Ready" }) {
			return nil
		}
		return []Edit{{OpAdd, s.Path.With("default", "conditions"), append(slices.Clone(have), conditions...)}}
	}
	return nil
}
