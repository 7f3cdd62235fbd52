package linttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"kstatus.dev/author/lint"
	"kstatus.dev/internal/decoded"
)

// A Case is a definition, other objects of its bundle, and the checks with findings.
type Case struct {
	Name         string              `json:"it"`
	CRD          map[string]any      `json:"crd"`      // a patch of the base
	Versions     []string            `json:"versions"` // further served versions, copies of the first
	OtherObjects []map[string]any    `json:"beside"`   // other objects of the bundle
	Declared     map[string][]string `json:"declared"` // types of conditions, by "Lamp.example.com"
	Want         []string            `json:"want"`     // names of checks; implied for bad and good cases
	After        []string            `json:"after"`    // names of checks that have findings only after fixes
}

// Cases are the cases of one check.
type Cases struct {
	Bad  Case   `json:"bad"`
	Good Case   `json:"good"`
	More []Case `json:"more"`
}

// A Suite is a table of checks with its cases.
type Suite struct {
	Base    string        // the file of the definition that the cases patch
	Dir     string        // the folder of the files of cases
	Checks  []*lint.Check // each must have cases
	All     []*lint.Check // the checks that run on each case; nil: Checks
	Options lint.Options  // the options of each run
}

// Read reads the cases of one check.
func (s Suite) Read(check *lint.Check) (Cases, error) {
	var cs Cases
	if err := read(filepath.Join(s.Dir, check.Name+".json"), &cs); err != nil {
		return cs, err
	}
	cs.Bad.Want = []string{check.Name}
	cs.Good.Want = nil
	return cs, nil
}

func read(file string, into any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read cases: %w", err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("read cases of %s: %w", file, err)
	}
	return nil
}

// Bundle returns the bundle of a case; the definition is the first object.
func (s Suite) Bundle(c Case) (lint.Bundle, error) {
	var crd map[string]any
	if err := read(s.Base, &crd); err != nil {
		return lint.Bundle{}, err
	}
	spec := decoded.Map(crd, "spec")
	versions := decoded.List(spec, "versions")
	for _, name := range c.Versions {
		if len(versions) == 0 {
			return lint.Bundle{}, fmt.Errorf("%s: spec.versions: found none", s.Base)
		}
		copied := merge(versions[0], map[string]any{"name": name, "storage": false})
		versions = append(slices.Clone(versions), copied)
		spec["versions"] = versions
	}
	patched, ok := merge(crd, c.CRD).(map[string]any)
	if !ok {
		return lint.Bundle{}, fmt.Errorf("case %q: the patch leaves no object", c.Name)
	}
	return lint.Bundle{Objects: append([]map[string]any{patched}, c.OtherObjects...)}, nil
}

func (s Suite) options(c Case) lint.Options {
	o := s.Options
	o.Checks = s.All
	if o.Checks == nil {
		o.Checks = s.Checks
	}
	if c.Declared != nil {
		o.Conditions = c.Declared
	}
	return o
}

// merge returns the value after a merge patch. A patch of a list has items by index, and an
// index past the end appends. The given value is not changed.
func merge(value, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	switch v := value.(type) {
	case map[string]any:
		return mergeMap(v, changes)
	case []any:
		list := slices.Clone(v)
		for key, p := range changes {
			if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(list) {
				list[i] = merge(list[i], p)
			} else if err == nil && i == len(list) {
				list = append(list, merge(nil, p))
			}
		}
		return list
	}
	return mergeMap(nil, changes)
}

func mergeMap(v, changes map[string]any) map[string]any {
	merged := maps.Clone(v)
	if merged == nil {
		merged = map[string]any{}
	}
	for k, p := range changes {
		if p == nil {
			delete(merged, k)
			continue
		}
		merged[k] = merge(merged[k], p)
	}
	return merged
}
