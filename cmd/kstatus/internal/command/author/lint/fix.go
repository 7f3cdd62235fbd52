package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"k8s.io/client-go/dynamic"

	"kstatus.dev/author/crd"
	"kstatus.dev/author/lint"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/findings"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/text"
)

// The values of --patch.
var patchFormats = []string{"json", "kustomize"}

// A fixer fixes the findings of a run, or prints the fixes.
type fixer struct {
	flags   lintFix
	run     *findings.Run
	objects dynamic.Interface // the cluster of the definitions; nil for definitions in files
}

// A definitionPatch is the changes to an object of the bundle.
type definitionPatch struct {
	object int
	crd.Patch
}

// A patchLine is the patch of one definition, as a line of JSON.
type patchLine struct {
	Name  string          `json:"name"`
	Patch json.RawMessage `json:"patch"` // RFC 6902
}

// fix makes or prints the fixes. If it writes files, it returns a run of the checks on their new
// contents, otherwise the old run. printed reports whether all output has been printed;
// otherwise the caller prints the findings of the run.
func (f *fixer) fix(ctx context.Context) (run *findings.Run, printed bool, err error) {
	patches := f.patches()
	if f.flags.patch != "" {
		f.checkStored(ctx, patches)
		return f.run, true, f.printPatches(patches)
	}
	if len(patches) == 0 {
		f.printNoFix()
	}
	if f.flags.diff {
		return f.run, true, f.printDiff(f.patchedTexts(patches))
	}
	texts := f.patchedTexts(patches)
	f.write(texts)
	return f.run.Reread(texts), false, nil
}

// patches returns the edits of all definitions. It computes them one after the other, since a
// fix of one may change another. It prints which fixes cannot be made.
func (f *fixer) patches() (all []definitionPatch) {
	fixes := lint.NewFixer(f.run.Bundle, f.flags.unsafe, f.run.Options)
	for _, c := range f.run.Bundle.CRDs() {
		found, err := fixes.Fix(c.Index)
		for _, err := range connection.FlattenErrors(err) {
			if err != nil {
				f.run.Env.Print("note: %v", err)
			}
		}
		if edits := (lint.FixResult{Findings: found}).Edits(); len(edits) > 0 {
			all = append(all, definitionPatch{c.Index, crd.Patch{Name: c.Name, Edits: edits}})
		}
		f.printNotes(c.Index, c.Name, found)
	}
	return all
}

// printNoFix prints why there are no changes. It prints nothing if there are no findings, or if
// safe fixes were refused.
func (f *fixer) printNoFix() {
	fixable := map[findings.Fixability]int{}
	for _, finding := range f.run.Findings {
		fixable[findings.FixabilityOf(finding)]++
	}
	all, unsafe := len(f.run.Findings), fixable[findings.FixUnsafely]
	switch {
	case all == 0 || fixable[findings.FixSafely] > 0:
	case unsafe == 0:
		f.run.Env.Print("note: nothing to change: no finding has a fix")
	case !f.flags.unsafe:
		f.run.Env.Print("note: nothing to change without --unsafe, which fixes %d of %s", unsafe, text.Count(all, "finding"))
	}
}

// printNotes prints what the author has to check after the fixes, each note once.
func (f *fixer) printNotes(object int, name string, fixed []lint.Finding) {
	place := "crd/" + name
	if i := f.run.Places[object].File; i >= 0 {
		place = f.run.Files[i].Name + ": " + name
	}
	printed := map[string]bool{}
	for _, finding := range fixed {
		if note := finding.Fix.Note; note != "" && !printed[note] {
			printed[note] = true
			f.run.Env.Print("note: %s: %s: %s", place, finding.Check, note)
		}
	}
}

// patchedTexts returns the patched texts of the files.
func (f *fixer) patchedTexts(patches []definitionPatch) [][]byte {
	edits := make([]map[int][]lint.Edit, len(f.run.Files))
	for _, p := range patches {
		place := f.run.Places[p.object]
		if place.File < 0 {
			f.run.Fail(fmt.Errorf("crd/%s: --fix and --diff want files; --patch prints what to change in a cluster", p.Name))
			continue
		}
		if edits[place.File] == nil {
			edits[place.File] = map[int][]lint.Edit{}
		}
		edits[place.File][place.Object] = p.Edits
	}
	texts := make([][]byte, len(f.run.Files))
	for i, file := range f.run.Files {
		texts[i] = file.Text
		if len(edits[i]) > 0 {
			texts[i] = f.applyEdits(file.Parsed, edits[i])
		}
	}
	return texts
}

// applyEdits returns the text of a file after edits of its objects. It skips objects that cannot be
// edited.
func (f *fixer) applyEdits(file *crd.File, edits map[int][]lint.Edit) []byte {
	after, err := file.EditAll(edits)
	for _, err := range connection.FlattenErrors(err) {
		if err != nil {
			f.run.Fail(err)
		}
	}
	if after == nil {
		return file.Text()
	}
	return after.Text()
}

// printableDiff returns a diff for printing. It is unchanged for a program that applies it. For a
// terminal, it has no control characters and no invisible characters.
func (f *fixer) printableDiff(diff []byte) []byte {
	if !cli.IsTerminal(f.run.Env.Out) {
		return diff
	}
	var b strings.Builder
	for line := range strings.Lines(string(diff)) {
		b.WriteString(text.Safe(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return []byte(b.String())
}

// printDiff prints the changes of the files as a diff.
func (f *fixer) printDiff(texts [][]byte) error {
	for i, file := range f.run.Files {
		if bytes.Equal(texts[i], file.Text) {
			continue
		}
		if _, err := f.run.Env.Out.Write(f.printableDiff(crd.Diff(findings.RelativePath(file.Name), file.Text, texts[i]))); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

// write writes the changed files. If a file cannot be written, it puts the old text into texts.
func (f *fixer) write(texts [][]byte) {
	for i, file := range f.run.Files {
		if bytes.Equal(texts[i], file.Text) {
			continue
		}
		if err := rewriteFile(file.Name, file.Text, texts[i]); err != nil {
			f.run.Fail(err)
			texts[i] = file.Text
			continue
		}
		f.run.Env.Print("fixed %s", file.Name)
	}
}

// rewriteFile replaces the text of a file, and keeps its mode. It returns an error for files
// that are not regular, such as symbolic links. It also returns an error if the file is not
// equal to before.
func rewriteFile(name string, before, after []byte) error {
	info, err := os.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		return fmt.Errorf("write %s: it is a symbolic link; name its target", name)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("write %s: it is not a regular file", name)
	}
	now, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, before) {
		return fmt.Errorf("write %s: it has changed since it was read", name)
	}
	return cli.ReplaceFile(name, 0o600, func(f *os.File) error {
		if _, err := f.Write(after); err != nil {
			return err
		}
		return f.Chmod(info.Mode().Perm())
	})
}

// printPatches prints the edits as patches for other tools.
func (f *fixer) printPatches(patches []definitionPatch) error {
	out := f.run.Env.Out
	switch {
	case len(patches) > 0 || len(f.run.Bundle.CRDs()) == 0:
	case f.flags.unsafe:
		f.run.Env.Print("note: nothing to patch")
	default:
		f.run.Env.Print("note: nothing to patch without --unsafe: the definitions count as managed by others")
	}
	if f.flags.patch == "json" {
		encode := terminal.NewEncoder(out)
		for _, p := range patches {
			text, err := crd.JSONPatch(p.Edits)
			if err != nil {
				return err
			}
			if err := encode.Encode(patchLine{Name: p.Name, Patch: text}); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
		return nil
	}
	var files []string
	all := make([]crd.Patch, 0, len(patches))
	for _, p := range patches {
		all = append(all, p.Patch)
		i := f.run.Places[p.object].File
		if i < 0 || f.run.Files[i].Name == "-" {
			continue
		}
		if name := findings.RelativePath(f.run.Files[i].Name); !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	text, err := crd.Kustomization(files, all)
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
