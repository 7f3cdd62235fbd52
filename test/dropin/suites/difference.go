package main

import (
	"fmt"
	"go/version"
	"maps"
	"slices"

	"golang.org/x/mod/semver"
)

// A difference has the lines of go.mod that a replacement changes, by kind.
type difference struct {
	replace []string // originals with a replace line
	own     []string // requirements on modules of kstatus.dev
	raised  []string // "module old => new"
	lowered []string
	added   []string
	removed []string
}

// difference compares the go.mod files before and after. The versions before a release are those of
// replaced folders, so modules of kstatus.dev count as one line each.
func (s size) difference() (d difference) {
	before, after := s.Before.Mod, s.After.Mod
	for _, module := range after.Replaced {
		if _, ok := originals[module]; ok && !slices.Contains(before.Replaced, module) {
			d.replace = append(d.replace, module)
		}
	}
	slices.Sort(d.replace)
	if x := version.Compare("go"+before.Go, "go"+after.Go); x < 0 {
		d.raised = append(d.raised, change("go", before.Go, after.Go))
	}
	for _, module := range slices.Sorted(maps.Keys(after.Require)) {
		old, ok := before.Require[module]
		now := after.Require[module]
		switch x := semver.Compare(old, now); {
		case !ok && isOwn(module):
			d.own = append(d.own, module)
		case !ok:
			d.added = append(d.added, module+" "+now)
		case x < 0:
			d.raised = append(d.raised, change(module, old, now))
		case x > 0:
			d.lowered = append(d.lowered, change(module, old, now))
		}
	}
	for _, module := range slices.Sorted(maps.Keys(before.Require)) {
		if _, ok := after.Require[module]; !ok {
			d.removed = append(d.removed, module+" "+before.Require[module])
		}
	}
	return d
}

func change(module, old, now string) string { return fmt.Sprintf("%s %s => %s", module, old, now) }

// lines returns a line for each change.
func (d difference) lines() (lines []string) {
	for _, kind := range []struct {
		name    string
		changes []string
	}{{"replace", d.replace}, {"require", d.own}, {"raised", d.raised}, {"lowered", d.lowered}, {"added", d.added}, {"removed", d.removed}} {
		for _, c := range kind.changes {
			lines = append(lines, kind.name+": "+c)
		}
	}
	return lines
}

// linked returns the modules that only one of both programs links, and those with other versions.
func (s size) linked() (added, removed, changed []string) {
	before, after := s.Before.Modules, s.After.Modules
	for _, module := range slices.Sorted(maps.Keys(after)) {
		old, ok := before[module]
		switch {
		case !ok:
			added = append(added, module)
		case old != after[module] && originals[module] == "":
			changed = append(changed, change(module, old, after[module]))
		}
	}
	for _, module := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[module]; !ok {
			removed = append(removed, module)
		}
	}
	return added, removed, changed
}

// megabytes returns a number of bytes as text.
func megabytes(n int64) string {
	if n == 0 {
		return "not built"
	}
	return fmt.Sprintf("%.1f", float64(n)/1e6)
}
