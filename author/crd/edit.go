package crd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"kstatus.dev/author/crd/internal/difference"
	"kstatus.dev/author/lint"
	"kstatus.dev/internal/decoded"
)

// Edit applies edits to one object and returns the new file. The object is an
// index into [File.Objects]. Only lines with a change differ. When the new text
// is parsed, this object equals the result of lint.Apply, and all other objects
// are unchanged.
//
// It is an error if the text cannot be changed without other changes, for
// example inside of an anchor that others refer to. Edit does not change f.
func (f *File) Edit(object int, edits ...lint.Edit) (*File, error) {
	after, err := f.EditAll(map[int][]lint.Edit{object: edits})
	if err != nil {
		return nil, err
	}
	return after, nil
}

// EditAll applies edits to several objects; the keys are indexes into
// [File.Objects]. It is faster than several calls of [File.Edit]. An object
// whose text cannot be changed stays unchanged. The error joins the errors of
// these objects, in their order.
func (f *File) EditAll(edits map[int][]lint.Edit) (*File, error) {
	objects := f.Objects()
	of := map[*Object][]lint.Edit{}
	for i, e := range edits {
		if i < 0 || i >= len(objects) {
			return nil, fmt.Errorf("edit %s: no object %d", f.Name, i)
		}
		of[objects[i]] = e
	}
	after := &File{Name: f.Name, rest: f.rest}
	var errs []error
	for _, d := range f.Documents {
		changed, failed := d.editAll(of)
		after.Documents = append(after.Documents, changed)
		for _, o := range d.Objects {
			if err := failed[o]; err != nil {
				errs = append(errs, o.error(err))
			}
		}
	}
	after.number()
	return after, errors.Join(errs...)
}

// A failure holds the objects of a document that cannot be edited, with their
// errors.
type failure map[*Object]error

// editAll returns a copy of the document with all edits that are possible.
// failed holds the objects that cannot be edited.
func (d *Document) editAll(edits map[*Object][]lint.Edit) (now *Document, failed failure) {
	failed = failure{}
	for {
		now, more, whole := d.edit(edits, failed)
		switch {
		case whole != nil:
			return d.editEach(edits)
		case len(more) == 0:
			return now, failed
		}
		maps.Copy(failed, more)
	}
}

// editEach edits one object after the other. It is used when the edits together
// fail, and the object with the error is not known.
func (d *Document) editEach(edits map[*Object][]lint.Edit) (now *Document, failed failure) {
	failed = failure{}
	now, _, _ = d.edit(nil, nil)
	for i, o := range d.Objects {
		if len(edits[o]) == 0 {
			continue
		}
		after, why, whole := now.edit(map[*Object][]lint.Edit{now.Objects[i]: edits[o]}, nil)
		if err := cmp.Or(whole, why[now.Objects[i]]); err != nil {
			failed[o] = err
			continue
		}
		now = after
	}
	return now, failed
}

// A change is the edits of an object, with their expected result.
type change struct {
	object *Object
	edits  []lint.Edit // relative to the document
}

// edit returns a copy of the document with the edits of its objects, except
// those in out. failed holds further objects that must be left out. whole is an
// error that belongs to no single object.
func (d *Document) edit(edits map[*Object][]lint.Edit, out failure) (now *Document, failed failure, whole error) {
	failed = failure{}
	var open []change
	want := map[*Object]map[string]any{}
	for _, o := range d.Objects {
		want[o] = o.Value
		if len(edits[o]) == 0 || out[o] != nil {
			continue
		}
		changed, err := lint.Apply(o.Value, edits[o]...)
		var minimal []lint.Edit
		if err == nil {
			minimal, err = o.minimalEdits(edits[o])
		}
		if err != nil {
			failed[o] = err
			continue
		}
		want[o] = changed
		if len(minimal) > 0 {
			open = append(open, changesByVersion(o, minimal)...)
		}
	}
	if len(failed) > 0 {
		return nil, failed, nil
	}
	if len(open) == 0 {
		copied := *d
		copied.Objects = nil
		for _, o := range d.Objects {
			again := *o
			again.Document = &copied
			copied.Objects = append(copied.Objects, &again)
		}
		return &copied, nil, nil
	}
	for now = d; len(open) > 0; {
		var rest []change
		if now, rest, failed, whole = now.applySplices(open); len(failed) > 0 || whole != nil {
			return nil, failed, whole
		}
		open = rest
	}
	return now, nil, d.verifyEdit(now, want)
}

// changesByVersion returns one change per version of a definition, because edits of
// different versions do not conflict. If an edit affects several versions, it
// returns all edits as one change.
func changesByVersion(o *Object, edits []lint.Edit) (all []change) {
	at := map[any]int{} // index into all, by the index of the version
	for _, e := range edits {
		path := e.Path[len(o.path):]
		if len(path) < 4 || path[0] != "spec" || path[1] != "versions" {
			return []change{{o, edits}}
		}
		i, known := at[path[2]]
		if !known {
			i = len(all)
			at[path[2]], all = i, append(all, change{object: o})
		}
		all[i].edits = append(all[i].edits, e)
	}
	return all
}

// error adds the position of an object that cannot be edited.
func (o *Object) error(err error) error {
	line, column := o.Position(nil)
	return &Error{File: o.Document.file, Line: line, Column: column, Err: err}
}

// verifyEdit checks that the new document equals the old one, except that its
// objects equal want.
func (d *Document) verifyEdit(now *Document, want map[*Object]map[string]any) error {
	now.read()
	switch {
	case now.Err != nil:
		return fmt.Errorf("the edits would make the text unreadable: %w", now.Err.(*Error).Err)
	case len(now.Objects) != len(d.Objects):
		return errors.New("the edits would change the number of objects")
	}
	for i, was := range d.Objects {
		if !difference.Equal(now.Objects[i].Value, want[was]) {
			return errors.New("the text cannot be edited in place without other changes")
		}
	}
	return nil
}

// minimalEdits returns equivalent edits of the document that change as little
// as possible: inside of an existing value, only what differs.
func (o *Object) minimalEdits(edits []lint.Edit) (small []lint.Edit, err error) {
	now := o.Value
	for _, e := range edits {
		e.Value = difference.Normalize(e.Value)
		old, ok := decoded.AtSteps(now, e.Path...)
		_, item := e.Path[len(e.Path)-1].(int)
		if ok && (e.Op == lint.OpReplace || e.Op == lint.OpAdd && !item) {
			small = difference.Add(small, e.Path, old, e.Value)
		} else {
			small = append(small, e)
		}
		if now, err = lint.Apply(now, e); err != nil {
			return nil, err
		}
	}
	for i, e := range small {
		small[i].Path = append(o.path.With(), e.Path...)
	}
	return small, nil
}

// A splice replaces a range of a text.
type splice struct {
	from, to int
	with     string
}

// applySplices applies the first edits of each object that can be made at once.
// It returns the new document and the remaining edits.
func (d *Document) applySplices(open []change) (now *Document, rest []change, failed failure, whole error) {
	root, err := parse(d.text)
	if err != nil || root == nil {
		return nil, nil, nil, fmt.Errorf("the edits would make the text unreadable: %w", errors.Join(err))
	}
	t := newText(d.text, root, d.styleOf)
	failed = failure{}
	var all []splice
	for _, c := range open { // changes of different objects do not conflict
		n := difference.Independent(c.edits)
		for _, e := range c.edits[:n] {
			s, err := t.splice(root, e)
			if err != nil {
				failed[c.object] = fmt.Errorf("%s %s: %w", e.Op, e.Path, err)
				break
			}
			all = append(all, s)
		}
		if n < len(c.edits) {
			rest = append(rest, change{c.object, c.edits[n:]})
		}
	}
	if len(failed) > 0 {
		return nil, nil, failed, nil
	}
	out, err := spliced(d.text, all)
	return &Document{file: d.file, before: d.before, text: out, styleOf: d.styleOf}, rest, nil, err
}

// spliced returns a text with some ranges replaced.
func spliced(text []byte, all []splice) ([]byte, error) {
	slices.SortStableFunc(all, func(a, b splice) int { return cmp.Or(b.from-a.from, b.to-a.to) })
	var out bytes.Buffer
	at := 0
	for i, s := range slices.Backward(all) {
		if s.from > s.to || i > 0 && s.to > all[i-1].from {
			return nil, errors.New("the places to edit overlap")
		}
		out.Write(text[at:s.from])
		out.WriteString(s.with)
		at = s.to
	}
	out.Write(text[at:])
	return out.Bytes(), nil
}
