package lint

import (
	"maps"
	"regexp"
	"slices"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
)

// refusesNegative matches the usual CEL rules that reject negative numbers.
var refusesNegative = regexp.MustCompile(`^\s*self\s*(>=\s*[0-9]|>\s*[0-9]|>\s*-1\b)`)

// The notes of the fixes of the race.
const (
	storedDefaultNote = "stored objects without a status show the default too. The controller has to write " +
		"observedGeneration on every object, including paused ones, or they stay InProgress; check with `kstatus audit`"
	mustWriteGenerationNote = "the controller has to write observedGeneration on every object, or its objects stay InProgress forever; " +
		"change the controller first, then check with `kstatus audit`"
	mustWriteReadyNote = "new objects have Ready=Unknown until the controller writes Ready, so it has to write Ready on every object"
)

// raceFix returns the fix for the race of a version; nil if it has none. The fix is safe only if
// the race of each other served version has a safe fix too. Versions that differ are worse than
// versions with the same race.
func (p *Pass) raceFix(v Version) *Fix { return p.raceFixForAll(v, p.raceFixOfVersion(v)) }

// raceFixForAll marks a fix as unsafe if another served version has no safe fix.
func (p *Pass) raceFixForAll(v Version, fix *Fix) *Fix {
	if fix == nil || fix.Unsafe {
		return fix
	}
	if other, is := p.withoutSafeFix(v); is {
		apart := *fix
		apart.Unsafe, apart.Risk, apart.Note = true, "version "+other.Name+" has no safe fix", "version "+other.Name+" has no safe fix and would differ; "+fix.Note
		return &apart
	}
	return fix
}

// raceFixOfVersion returns the fix for the race of one version: the one with the smallest effect on
// users among those that the schema permits.
//
//   - A default of -1 for an observedGeneration that the kind is known to have
//     is safe: kstatus compares it first.
//   - The same default for a new observedGeneration is for the owner of the
//     definition, whose controller has to write it. For others a condition Ready
//     with the default Unknown is safe, if the controller writes Ready.
//   - If a minimum or required fields prevent the default, Ready again; else
//     the fix relaxes them, which users of the API notice.
func (p *Pass) raceFixOfVersion(v Version) *Fix {
	known := v.hasGeneration() || v.hasSiblingWithGeneration()
	observed := &Fix{Edits: v.observedEdits(false), Unsafe: !v.hasGeneration() && v.Status().allowsAnything(), Risk: v.newGenerationRisk(), Note: storedDefaultNote}
	if !known {
		observed.ChangesController, observed.Note = true, mustWriteGenerationNote
	}
	if !v.StatusSubresource() {
		observed.Unsafe, observed.Note = true, generationNeverReached
	}
	var ready *Fix
	if edits := v.readyEdits(); edits != nil && p.writesReady(v) {
		ready = &Fix{Edits: edits, Note: mustWriteReadyNote, summary: "a default condition Ready=Unknown, reason NotYetReconciled"}
	}
	wider := &Fix{Edits: v.observedEdits(true), Unsafe: true, Risk: "clients of the old schema may reject -1 or an empty status", ChangesController: !known,
		Note: "clients that were generated from the old schema may reject -1 or an empty status; " + observed.Note}
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
	after, ok := v.withEdits(edits)
	return ok && !raceOpen(after) && after.defaultsHold() && p.isAccepted(v, edits)
}

// withEdits returns the version after edits.
func (v Version) withEdits(edits []Edit) (Version, bool) {
	if len(edits) == 0 {
		return v, false
	}
	within := make([]Edit, len(edits)) // of the version
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

// defaultsHold reports whether the defaults of the status are valid, and the status of a new
// object with them.
func (v Version) defaultsHold() bool {
	s := v.Status()
	if d, has := s.Node["default"]; has && s.Refusal(d) != "" {
		return false
	}
	og := s.Property("observedGeneration")
	d, has := og.Node["default"]
	return !has || og.Refusal(d) == ""
}

// isAccepted reports whether the API server would reject no more than before the edits. Only the
// validator can decide that for CEL rules over the status, so it is called only if the schema
// has some.
func (p *Pass) isAccepted(v Version, edits []Edit) bool {
	s := v.Status()
	if s.Node["x-kubernetes-validations"] == nil && s.Property("observedGeneration").Node["x-kubernetes-validations"] == nil {
		return true
	}
	if p.Options.Validator == nil {
		return blocksDefault(s.Property("observedGeneration")) == ""
	}
	p.index.clean.readsAllVersions = true
	changed, err := Apply(v.CRD.Raw, edits...)
	return err == nil && len(p.Options.Validator.Validate(changed)) <= len(p.Options.Validator.Validate(v.CRD.Raw))
}

// observedEdits returns the edits that give a new object, and one with a partial status,
// observedGeneration -1. If relax is true, they also relax the schema where it prevents that.
func (v Version) observedEdits(relax bool) (edits []Edit) {
	s := v.Status()
	og := s.Property("observedGeneration")
	if relax {
		edits = append(edits, allowMinusOne(og)...)
		if _, there := s.Node["required"]; there {
			edits = append(edits, Edit{OpRemove, s.Path.With("required"), nil})
		}
	}
	switch d := og.Node["default"]; {
	case !og.Exists():
		edits = append(edits, s.fieldEdits("observedGeneration", map[string]any{"type": "integer", "format": "int64", "default": int64(-1)})...)
	case !equalValues(d, int64(-1)):
		edits = append(edits, Edit{OpAdd, og.Path.With("default"), int64(-1)})
	}
	if d, ok := s.Node["default"].(map[string]any); !ok {
		edits = append(edits, Edit{OpAdd, s.Path.With("default"), s.smallestDefault(relax)})
	} else if seen, there := d["observedGeneration"]; there && !equalValues(seen, int64(-1)) {
		edits = append(edits, Edit{OpAdd, s.Path.With("default", "observedGeneration"), int64(-1)})
	}
	return edits
}

// smallestDefault returns the smallest valid default of the status: {}, else the required fields
// that have a default, else with observedGeneration -1 too. The API server validates a default
// as it is, without the defaults of its fields.
func (s Schema) smallestDefault(relax bool) map[string]any {
	node := maps.Clone(s.Node)
	if relax {
		delete(node, "required")
	}
	least := map[string]any{}
	for _, name := range texts(node["required"]) {
		d, has := s.Property(name).Node["default"]
		eachPositiveValue(name, d, nil, func(Path, string) { has = false }) // positive-default would remove it again
		if has && name != "observedGeneration" {
			least[name] = clone(d)
		}
	}
	delete(node, "properties") // the properties are validated separately
	if (Schema{Node: node}.Refusal(least)) != "" {
		least["observedGeneration"] = int64(-1)
	}
	return least
}

// allowsAnything reports whether stored objects may have unknown fields of any type.
func (s Schema) allowsAnything() bool {
	return s.Node["x-kubernetes-preserve-unknown-fields"] == true || s.Node["additionalProperties"] != nil
}

// fieldEdits returns the edits that add a field to the schema of an object.
func (s Schema) fieldEdits(name string, field map[string]any) []Edit {
	if decoded.Map(s.Node, "properties") == nil {
		return []Edit{{OpAdd, s.Path.With("properties"), map[string]any{name: field}}}
	}
	return []Edit{{OpAdd, s.Path.With("properties", name), field}}
}

// allowMinusOne returns the edits that permit -1 for an observedGeneration; nil if they are not
// possible or not needed.
func allowMinusOne(og Schema) (edits []Edit) {
	if blocksDefault(og) != "minimum" {
		return nil
	}
	edits = []Edit{{OpReplace, og.Path.With("minimum"), int64(-1)}}
	if og.Node["exclusiveMinimum"] == true {
		edits = append(edits, Edit{OpRemove, og.Path.With("exclusiveMinimum"), nil})
	}
	return edits
}

// readyEdits returns the edits that give a new object a condition Ready that is Unknown; nil if
// the status has no list of conditions.
func (v Version) readyEdits() []Edit {
	s := v.Status()
	list := s.Property("conditions")
	fields := decoded.Map(list.Node, "items", "properties")
	if list.Type() != "array" || fields == nil {
		return nil
	}
	// The time has to be a constant that is obviously not real.
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
		have := decoded.List(d, "conditions")
		if _, exists := condition.Find(have, "Ready"); exists {
			return nil
		}
		return []Edit{{OpAdd, s.Path.With("default", "conditions"), append(slices.Clone(have), conditions...)}}
	}
	return nil
}
