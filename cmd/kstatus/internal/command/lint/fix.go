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

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/findings"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/text"
	"kstatus.dev/kube/crd"
	"kstatus.dev/lint"
)

// The values of --patch.
var patchFormats = []string{"json", "kustomize"}

// A fixer fixes the findings of a run, or prints how.
type fixer struct {
	flags   lintFix
	run     *findings.Run
	objects dynamic.Interface // of the cluster that definitions are from; nil: they are from files
}

// A definitionPatch is what to change in an object of the bundle.
type definitionPatch struct {
	object int
	crd.Patch
}

// A patchLine is the patch of one definition, as a line of JSON.
type patchLine struct {
	Name  string          `json:"name"`
	Patch json.RawMessage `json:"patch"` // RFC 6902
}

// fix makes or prints the fixes. If it has written files, it returns a run of the
// checks on what is in them now, else the run as it was. It reports whether it has
// printed what the command prints; otherwise that is the findings of the run.
func (f *fixer) fix(ctx context.Context) (run *findings.Run, printed bool, err error) {
	patches := f.patches()
	switch {
	case f.flags.patch != "":
		f.checkStored(ctx, patches)
		return f.run, true, f.printPatches(patches)
	case f.flags.diff:
		return f.run, true, f.printDiff(f.texts(patches))
	}
	texts := f.texts(patches)
	f.write(texts)
	return f.run.Reread(texts), false, nil
}

// patches returns the edits of all definitions. It works them out one after the
// other, since a fix of one may change another, and prints which fixes cannot be made.
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
		f.printNotes(c.Name, found)
	}
	return all
}

// printNotes prints what the author has to look at after the fixes, each note once.
func (f *fixer) printNotes(name string, fixed []lint.Finding) {
	printed := map[string]bool{}
	for _, finding := range fixed {
		if note := finding.Fix.Note; note != "" && !printed[note] {
			printed[note] = true
			f.run.Env.Print("note: crd/%s: %s: %s", name, finding.Check, note)
		}
	}
}

// texts returns the texts of the files with the patches.
func (f *fixer) texts(patches []definitionPatch) [][]byte {
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
			texts[i] = f.edited(file.Parsed, edits[i])
		}
	}
	return texts
}

// edited returns the text of a file after edits of those of its objects that can be edited.
func (f *fixer) edited(file *crd.File, edits map[int][]lint.Edit) []byte {
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

// shown returns a diff as it is printed: as it is for a program that applies it, and on a
// terminal without what steers that or cannot be seen.
func (f *fixer) shown(diff []byte) []byte {
	if !cli.IsTerminal(f.run.Env.Out) {
		return diff
	}
	var b strings.Builder
	for line := range strings.Lines(string(diff)) {
		b.WriteString(text.Safe(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return []byte(b.String())
}

// printDiff prints what the files would change to.
func (f *fixer) printDiff(texts [][]byte) error {
	for i, file := range f.run.Files {
		if bytes.Equal(texts[i], file.Text) {
			continue
		}
		if _, err := f.run.Env.Out.Write(f.shown(crd.Diff(findings.RelativePath(file.Name), file.Text, texts[i]))); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

// write writes the files that change. It puts the old text into texts for a file
// that cannot be written.
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
		f.run.Env.Print("mended %s", file.Name)
	}
}

// rewriteFile replaces a file whose text was read before, and keeps its mode. It
// refuses what is not a regular file, symbolic links among them, and a file that
// has changed since it was read.
func rewriteFile(name string, before, after []byte) error {
	info, err := os.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		return fmt.Errorf("write %s: it is a symbolic link; name the file that it leads to", name)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("write %s: it is no regular file", name)
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

// printPatches prints the edits for other tools to make.
func (f *fixer) printPatches(patches []definitionPatch) error {
	out := f.run.Env.Out
	switch {
	case len(patches) > 0 || len(f.run.Bundle.CRDs()) == 0:
	case f.flags.unsafe:
		f.run.Env.Print("note: there is nothing to patch")
	default:
		f.run.Env.Print("note: there is nothing to patch without --unsafe, since the definitions count as those of somebody else")
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
