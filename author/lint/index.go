package lint

import (
	"slices"
	"strings"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status/schema"
)

// A bundleIndex holds what checks need from the whole bundle, computed once.
type bundleIndex struct {
	crds    []CRD
	at      map[int]int                   // positions in crds, by the index of the object
	samples map[kindName][]map[string]any // the objects of each kind
	kinds   map[kindName][]int            // in crds
	clean   cleanVersions                 // for the definition that is being fixed
}

// A kindName is a kind and its group.
type kindName struct{ kind, group string }

func newIndex(b Bundle) *bundleIndex {
	x := &bundleIndex{crds: b.CRDs(), at: map[int]int{}, samples: map[kindName][]map[string]any{}, kinds: map[kindName][]int{}}
	for i, crd := range x.crds {
		x.at[crd.Index] = i
		x.kinds[crd.kindName()] = append(x.kinds[crd.kindName()], i)
	}
	for _, o := range b.Objects {
		if kind := kindNameOf(o); kind.kind != "" {
			x.samples[kind] = append(x.samples[kind], o)
		}
	}
	return x
}

// definition returns the definition with an index in the bundle, if the object is one.
func (x *bundleIndex) definition(index int) []CRD {
	i, is := x.at[index]
	if !is {
		return nil
	}
	return x.crds[i : i+1]
}

// replace replaces an object. A fix changes neither the kind of an object nor the kind that a
// definition defines.
func (x *bundleIndex) replace(index int, object map[string]any) {
	if i, is := x.at[index]; is {
		x.crds[i] = readCRD(index, object)
		x.crds[i].setVersions()
	}
}

// kindName returns the kind that a definition defines.
func (crd CRD) kindName() kindName { return kindName{crd.Kind, crd.Group} }

// kindNameOf returns the kind of an object; it is empty for the core group.
func kindNameOf(o map[string]any) kindName {
	group, _, ok := strings.Cut(decoded.Text(o, "apiVersion"), "/")
	if !ok {
		return kindName{}
	}
	return kindName{decoded.Text(o, "kind"), group}
}

// declaredConditions is [Options.DeclaredConditions] for the bundle of the pass.
func (p *Pass) declaredConditions(crd CRD) (types []string, source string) {
	return p.Options.declaredConditionsIn(p.index.samples[crd.kindName()], crd)
}

// A versionFacts holds properties of the versions of a definition, computed on first use.
type versionFacts struct {
	known           bool
	served          []Version // served versions with fields in their status, the storage version first
	generation      []int     // the first two in served with an observedGeneration
	withoutRace     []int     // the first two in served without the race
	hasExpectations bool
	expectations    schema.Expectations
	computed        bool
	unsafe          []int // the first two in served with the race and without a safe fix for it
}

// family returns the facts about the versions.
func (crd *CRD) family() *versionFacts {
	s := crd.siblings
	if s == nil { // created by a caller
		s = &versionFacts{}
	}
	if !s.known {
		s.known, s.served = true, crd.findServed()
		for i, v := range s.served {
			s.generation = s.first(s.generation, i, v.hasGeneration)
			s.withoutRace = s.first(s.withoutRace, i, v.defaultsToUnobserved)
		}
	}
	return s
}

// first adds a served version to those with a property, unless it has two with different names.
func (s *versionFacts) first(of []int, i int, has func() bool) []int {
	if len(of) == 2 || len(of) == 1 && s.served[of[0]].Name == s.served[i].Name || !has() {
		return of
	}
	return append(of, i)
}

// other returns the first of some served versions with another name.
func (s *versionFacts) other(of []int, name string) (Version, bool) {
	i := slices.IndexFunc(of, func(i int) bool { return s.served[i].Name != name })
	if i < 0 {
		return Version{}, false
	}
	return s.served[of[i]], true
}

// A cleanVersions holds what fixing need not check again: for the checks of this package, the
// versions without findings to fix. These checks read one version, and of the others only those
// in its family, unless they say otherwise.
type cleanVersions struct {
	versions         map[*Check][]bool // by the index of the version
	family           [][]int           // the family for which versions is valid
	readsAllVersions bool              // the running check has read all versions
}

func (s *cleanVersions) has(c *Check, version int) bool {
	all := s.versions[c]
	return version < len(all) && all[version]
}

// add records that a check has run without findings to fix.
func (s *cleanVersions) add(c *Check, version int) {
	if s.readsAllVersions {
		return
	}
	if s.versions == nil {
		s.versions = map[*Check][]bool{}
	}
	for len(s.versions[c]) <= version {
		s.versions[c] = append(s.versions[c], false)
	}
	s.versions[c][version] = true
}

// invalidate removes what edits may have changed.
func (s *cleanVersions) invalidate(all []Edit) {
	for _, e := range all {
		if len(e.Path) < 4 || e.Path[0] != "spec" || e.Path[1] != "versions" {
			s.versions = nil
			return
		}
		version, is := e.Path[2].(int)
		if !is || slices.ContainsFunc(s.family, func(all []int) bool { return slices.Contains(all, version) }) {
			s.versions = nil
			return
		}
		for _, versions := range s.versions {
			if version < len(versions) {
				versions[version] = false
			}
		}
	}
}

// compare removes everything if the family has changed.
func (s *cleanVersions) compare(crd *CRD) {
	family := crd.family()
	var now [][]int
	for _, of := range [][]int{family.generation, family.withoutRace} {
		var versions []int
		for _, i := range of {
			versions = append(versions, family.served[i].index())
		}
		now = append(now, versions)
	}
	if !slices.EqualFunc(now, s.family, slices.Equal) {
		s.versions, s.family = nil, now
	}
}

// withoutSafeFix returns the first other version with an open race and no safe fix.
func (p *Pass) withoutSafeFix(v Version) (Version, bool) {
	p.index.clean.readsAllVersions = true
	s := v.CRD.family()
	if !s.computed {
		s.computed = true
		for i, other := range s.served {
			s.unsafe = s.first(s.unsafe, i, func() bool { return p.lacksSafeFix(other) })
		}
	}
	return s.other(s.unsafe, v.Name)
}

// safeRaces is the key of lacksSafeFix among the checks.
var safeRaces = &Check{}

// lacksSafeFix reports whether a version has an open race and no safe fix.
func (p *Pass) lacksSafeFix(v Version) bool {
	settled, at := &p.index.clean, v.index()
	if p.Options.fixableOnly && settled.has(safeRaces, at) {
		return false
	}
	settled.readsAllVersions = false
	defer func() { settled.readsAllVersions = true }()
	if raceOpen(v) {
		if f := p.raceFixOfVersion(v); f == nil || f.Unsafe || f.ChangesController && p.Options.Foreign {
			return true
		}
	}
	if p.Options.fixableOnly {
		settled.add(safeRaces, at)
	}
	return false
}

// index returns the index of the version in its definition.
func (v Version) index() int { return v.Path[len(v.Path)-1].(int) }
