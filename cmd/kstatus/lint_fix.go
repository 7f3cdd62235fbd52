package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"kstatus.dev/internal/text"
	"kstatus.dev/kube/crd"
	"kstatus.dev/lint"
)

// The values of --patch.
var patchFormats = []string{"json", "kustomize"}

// mend makes or prints the fixes, and looks again at what is left.
func (l *lintCommand) mend(ctx context.Context, r *lintRun) error {
	patches := l.repair(r)
	if l.patch != "" {
		return l.printPatches(ctx, r, patches)
	}
	texts := l.edited(r, patches)
	for i, f := range r.files {
		after := texts[i]
		if string(after) == string(f.text) {
			continue
		}
		if l.diff {
			if _, err := l.env.out.Write(crd.Diff(relative(f.name), f.text, after)); err != nil {
				return fmt.Errorf("print: %w", err)
			}
			continue
		}
		if err := crd.Write(f.name, f.text, after); err != nil {
			r.fail(err)
			texts[i] = f.text // and so it stays
			continue
		}
		fmt.Fprintln(l.env.err, text.Line("mended "+f.name))
	}
	if l.diff {
		return nil
	}
	r.reload(texts)
	return l.print(r)
}

// A lintPatch is what is to be changed in an object of the bundle.
type lintPatch struct {
	object int
	crd.Patch
}

// repair works out the edits of all definitions, one after the other, since what
// is mended in one may be about another. It tells of the fixes that cannot be made.
func (l *lintCommand) repair(r *lintRun) (all []lintPatch) {
	b := r.bundle
	for _, c := range r.bundle.CRDs() {
		mended, err := lint.Mend(b, c.Index, l.unsafe, r.options)
		for _, err := range each(err) {
			if err != nil {
				fmt.Fprintln(l.env.err, text.Line("note: "+err.Error()))
			}
		}
		b = mended.Bundle
		if edits := mended.Edits(); len(edits) > 0 {
			all = append(all, lintPatch{c.Index, crd.Patch{Name: c.Name, Edits: edits}})
		}
		l.notes(c.Name, mended.Findings)
	}
	return all
}

// notes tells what has to be looked at besides what has been mended, each once.
func (l *lintCommand) notes(name string, mended []lint.Finding) {
	told := map[string]bool{}
	for _, f := range mended {
		if f.Fix.Note != "" && !told[f.Fix.Note] {
			told[f.Fix.Note] = true
			fmt.Fprintln(l.env.err, text.Line("note: crd/"+name+": "+f.Check+": "+f.Fix.Note))
		}
	}
}

// edited returns the texts of the files after the patches.
func (l *lintCommand) edited(r *lintRun, patches []lintPatch) [][]byte {
	edits := make([]map[int][]lint.Edit, len(r.files))
	for _, p := range patches {
		place := r.places[p.object]
		if place.file < 0 {
			r.fail(fmt.Errorf("crd/%s: --fix and --diff want files; --patch prints what to change in a cluster", p.Name))
			continue
		}
		if edits[place.file] == nil {
			edits[place.file] = map[int][]lint.Edit{}
		}
		edits[place.file][place.object] = p.Edits
	}
	texts := make([][]byte, len(r.files))
	for i, f := range r.files {
		texts[i] = f.text
		if len(edits[i]) > 0 {
			texts[i] = r.editedFile(f.parsed, edits[i])
		}
	}
	return texts
}

// editedFile returns the text of a file after edits of its objects: of all at once,
// or where one cannot be edited of those that can.
func (r *lintRun) editedFile(f *crd.File, edits map[int][]lint.Edit) []byte {
	if all, err := f.EditAll(edits); err == nil {
		return all.Text()
	}
	for _, object := range slices.Sorted(maps.Keys(edits)) {
		after, err := f.Edit(object, edits[object]...)
		if err != nil {
			r.fail(err)
			continue
		}
		f = after
	}
	return f.Text()
}

// fail tells at once of what could not be done, and has the command exit with 1.
func (r *lintRun) fail(err error) {
	r.unread = append(r.unread, err)
	r.env.complain(err)
}

// reload looks at the files as they are after the fixes.
func (r *lintRun) reload(texts [][]byte) {
	files, unread := r.files, r.unread
	*r = lintRun{env: environment{out: io.Discard, err: io.Discard}, options: r.options}
	for i, f := range files {
		r.add(f.name, texts[i])
	}
	r.unread = unread
	r.look()
}

// printPatches prints the edits for other tools to make.
func (l *lintCommand) printPatches(ctx context.Context, r *lintRun, patches []lintPatch) error {
	l.precheck(ctx, r, patches)
	if l.patch == "json" {
		encode := encoderOn(l.env.out)
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
		if i := r.places[p.object].file; i >= 0 && r.files[i].name != "-" && !slices.Contains(files, relative(r.files[i].name)) {
			files = append(files, relative(r.files[i].name))
		}
	}
	text, err := crd.Kustomization(files, all)
	if err != nil {
		return err
	}
	if _, err := l.env.out.Write(text); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
