package census

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"kstatus.dev/author/crd"
	"kstatus.dev/author/lint"
)

// A Result contains the findings about a project, and the results of fixing it.
type Result struct {
	Project
	Definitions int
	WithStatus  int
	Kinds       map[string][]string // by check: the names of the definitions with a finding
	Stored      map[string][]string // of these, the definitions with a finding about the stored version
	left        []finding           // after --fix
	Changed     int                 // lines that --fix adds or changes
	Removed     int                 // lines that --fix removes
	Notes       []string            // what --fix could not fix
	Again       bool                // a second --fix makes changes
	Proofs      []Proof
}

// A finding is a line of kstatus lint -o json.
type finding struct{ Type, ID, Check, Name, Version, Fixes string }

// A Census runs the command of a folder.
type Census struct{ Bin string }

// Run lints a project and fixes copies of it. It returns the definitions by level.
func (c Census) Run(ctx context.Context, p Project) (r Result, levels map[string][]map[string]any, err error) {
	r = Result{Project: p}
	dir, err := os.MkdirTemp("", "kstatus-census-")
	if err != nil {
		return r, nil, err
	}
	defer os.RemoveAll(dir)
	if err := p.Copy(ctx, dir); err != nil {
		return r, nil, err
	}
	levels = map[string][]map[string]any{}
	if levels[Before], err = definitions(dir); err != nil {
		return r, nil, err
	}
	r.Definitions, r.WithStatus = size(levels[Before])
	found, _, err := c.lint(ctx, dir)
	if err != nil {
		return r, nil, err
	}
	r.Kinds, r.Stored = kinds(found, nil), kinds(found, stored(levels[Before]))
	was, err := texts(dir)
	if err != nil {
		return r, nil, err
	}
	for _, level := range []struct {
		name  string
		flags []string
	}{{Safe, nil}, {Unsafe, []string{"--unsafe"}}} {
		left, notes, err := c.lint(ctx, dir, append(level.flags, "--fix")...)
		if err != nil {
			return r, nil, err
		}
		now, err := texts(dir)
		if err != nil {
			return r, nil, err
		}
		if levels[level.name], err = definitions(dir); err != nil {
			return r, nil, err
		}
		if level.name == Safe {
			r.left, r.Notes = left, notes
			r.Changed, r.Removed = countChangedLines(was, now)
		}
		if _, _, err := c.lint(ctx, dir, append(level.flags, "--fix")...); err != nil {
			return r, nil, err
		}
		again, err := texts(dir)
		if err != nil {
			return r, nil, err
		}
		for name := range now {
			r.Again = r.Again || !bytes.Equal(now[name], again[name])
		}
	}
	return r, levels, nil
}

// lint runs kstatus lint, and returns the findings and its standard error.
func (c Census) lint(ctx context.Context, dir string, flags ...string) (found []finding, notes []string, err error) {
	cmd := exec.CommandContext(ctx, filepath.Join(c.Bin, "kstatus"), append([]string{"lint", dir, "-o", "json"}, flags...)...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 7) {
		return nil, nil, fmt.Errorf("lint %s: %w: %s", dir, err, said.String())
	}
	for line := range bytes.Lines(out.Bytes()) {
		var f finding
		if err := json.Unmarshal(line, &f); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", line, err)
		}
		if f.Type == "finding" {
			found = append(found, f)
		}
	}
	for line := range strings.Lines(said.String()) {
		if note, ok := strings.CutPrefix(line, "note: fix "); ok {
			notes = append(notes, "the fix "+strings.TrimSpace(note))
		}
	}
	return found, notes, nil
}

// kinds returns the definitions with a finding, by check. If versions are given, the finding
// must be about that version, or about none.
func kinds(found []finding, versions map[string]string) map[string][]string {
	all := map[string][]string{}
	for _, f := range found {
		key := f.ID + " " + f.Check
		if (versions == nil || f.Version == "" || f.Version == versions[f.Name]) && !slices.Contains(all[key], f.Name) {
			all[key] = append(all[key], f.Name)
		}
	}
	return all
}

// stored returns the stored version of each definition.
func stored(all []map[string]any) map[string]string {
	versions := map[string]string{}
	for _, c := range (lint.Bundle{Objects: all}).CRDs() {
		for _, v := range c.Versions {
			if v.Storage {
				versions[c.Name] = v.Name
			}
		}
	}
	return versions
}

func texts(dir string) (map[string][]byte, error) {
	all := map[string][]byte{}
	names, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	for _, name := range names {
		if all[name], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	return all, err
}

func definitions(dir string) (all []map[string]any, err error) {
	files, err := texts(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, o := range crd.Parse(name, files[name]).Objects() {
			if o.Value["kind"] == "CustomResourceDefinition" {
				all = append(all, o.Value)
			}
		}
	}
	return all, nil
}

// size counts the definitions, and those with a status in a served version.
func size(all []map[string]any) (definitions, withStatus int) {
	for _, c := range (lint.Bundle{Objects: all}).CRDs() {
		definitions++
		if slices.ContainsFunc(c.Versions, func(v lint.Version) bool { return v.Served && v.HasStatus() }) {
			withStatus++
		}
	}
	return definitions, withStatus
}

// countChangedLines counts the added and the removed lines between two states of files.
func countChangedLines(before, after map[string][]byte) (added, removed int) {
	for name := range before {
		for _, h := range crd.Hunks(before[name], after[name]) {
			added += strings.Count(h.Added, "\n")
			removed += h.Removed
		}
	}
	return added, removed
}
