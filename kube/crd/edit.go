package crd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"kstatus.dev/lint"
)

// Edit applies edits to one object and returns the new file. The object is an index into
// [File.Objects]. Only lines with a change differ. Parsed again, the object is what
// lint.Apply makes of it, and all others are as before.
//
// The error says why the text cannot be changed without changing more, for example inside
// of an anchor that others refer to. Edit does not change f.
func (f *File) Edit(object int, edits ...lint.Edit) (*File, error) {
	return f.EditAll(map[int][]lint.Edit{object: edits})
}

// EditAll applies edits to several objects; the keys are indexes into [File.Objects]. It is
// faster than several calls of [File.Edit] if the objects are items of one list.
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
	for _, d := range f.Documents {
		changed, err := d.apply(of)
		if err != nil {
			return nil, err
		}
		after.Documents = append(after.Documents, changed)
	}
	after.number()
	return after, nil
}

// apply returns a copy of the document after edits of its objects.
func (d *Document) apply(edits map[*Object][]lint.Edit) (*Document, error) {
	want := map[*Object]map[string]any{}
	var small [][]lint.Edit
	var first *Object // of those that change
	for _, o := range d.Objects {
		changed, err := lint.Apply(o.Value, edits[o]...)
		var minimal []lint.Edit
		if err == nil {
			minimal, err = o.minimalEdits(edits[o])
		}
		if err != nil {
			return nil, o.error(err)
		}
		want[o] = changed
		if len(minimal) > 0 {
			if small == nil {
				first = o
			}
			small = append(small, minimal)
		}
	}
	now := d
	for len(small) > 0 {
		var batch []lint.Edit // of objects beside each other none is in the way of another
		var rest [][]lint.Edit
		for _, all := range small {
			n := countIndependent(all)
			batch = append(batch, all[:n]...)
			if n < len(all) {
				rest = append(rest, all[n:])
			}
		}
		var err error
		if now, err = now.applySplices(batch); err != nil {
			return nil, first.error(err)
		}
		small = rest
	}
	if now == d {
		copied := *d
		copied.Objects = nil
		for _, o := range d.Objects {
			copied.Objects = append(copied.Objects, &Object{Value: o.Value, Document: &copied, path: o.path})
		}
		return &copied, nil
	}
	if err := d.verifyEdit(now, want); err != nil {
		return nil, first.error(err)
	}
	return now, nil
}

// error says where an object stands that could not be edited.
func (o *Object) error(err error) error {
	line, column := o.Position(nil)
	return &Error{File: o.Document.file, Line: line, Column: column, Err: err}
}

// verifyEdit checks that a document is another with nothing but its objects changed
// to what is wanted.
func (d *Document) verifyEdit(now *Document, want map[*Object]map[string]any) error {
	now.read()
	switch {
	case now.Err != nil:
		return fmt.Errorf("the edits would make the text unreadable: %w", now.Err.(*Error).Err)
	case len(now.Objects) != len(d.Objects):
		return errors.New("the edits would change how many objects there are")
	}
	for i, was := range d.Objects {
		if !equalValues(now.Objects[i].Value, want[was]) {
			return errors.New("the text cannot be edited in place without changing more than is meant")
		}
	}
	return nil
}

// equalValues reports whether two values are the same in JSON.
func equalValues(a, b any) bool {
	return reflect.DeepEqual(a, b) || reflect.DeepEqual(normalize(a), normalize(b))
}

// normalize returns a value as a decoder of JSON delivers it.
func normalize(v any) any {
	text, err := utiljson.Marshal(v)
	if err != nil {
		return v
	}
	var again any
	if err := utiljson.Unmarshal(text, &again); err != nil {
		return v
	}
	return again
}

// minimalEdits returns edits of the document that say the same with as little as
// possible: of a field that is there only what differs is changed.
func (o *Object) minimalEdits(edits []lint.Edit) (small []lint.Edit, err error) {
	now := o.Value
	for _, e := range edits {
		e.Value = normalize(e.Value)
		old, there := valueAt(now, e.Path)
		_, item := e.Path[len(e.Path)-1].(int)
		if there && (e.Op == lint.OpReplace || e.Op == lint.OpAdd && !item) {
			small = difference(small, e.Path, old, e.Value)
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

func valueAt(v any, p lint.Path) (any, bool) {
	for _, step := range p {
		switch s := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			below, there := m[s]
			if !there {
				return nil, false
			}
			v = below
		case int:
			list, _ := v.([]any)
			if s < 0 || s >= len(list) {
				return nil, false
			}
			v = list[s]
		default:
			return nil, false
		}
	}
	return v, true
}

// difference adds the edits that turn one value into another.
func difference(edits []lint.Edit, at lint.Path, old, want any) []lint.Edit {
	switch want := want.(type) {
	case map[string]any:
		if was, ok := old.(map[string]any); ok && len(was) > 0 && len(want) > 0 {
			return mapDifference(edits, at, was, want)
		}
	case []any:
		if was, ok := old.([]any); ok && len(was) > 0 && len(want) > 0 {
			return listDifference(edits, at, was, want)
		}
	}
	if equalValues(old, want) {
		return edits
	}
	return append(edits, lint.Edit{Op: lint.OpReplace, Path: at, Value: want})
}

// mapDifference adds before it removes, so that the map is never empty in between.
func mapDifference(edits []lint.Edit, at lint.Path, old, want map[string]any) []lint.Edit {
	for _, key := range sorted(want) {
		if was, there := old[key]; there {
			edits = difference(edits, at.With(key), was, want[key])
		} else {
			edits = append(edits, lint.Edit{Op: lint.OpAdd, Path: at.With(key), Value: want[key]})
		}
	}
	for _, key := range sorted(old) {
		if _, there := want[key]; !there {
			edits = append(edits, lint.Edit{Op: lint.OpRemove, Path: at.With(key)})
		}
	}
	return edits
}

// listDifference leaves alone what two lists have in common at both ends.
func listDifference(edits []lint.Edit, at lint.Path, old, want []any) []lint.Edit {
	head, tail := 0, 0
	for head < len(old) && head < len(want) && equalValues(old[head], want[head]) {
		head++
	}
	for tail < len(old)-head && tail < len(want)-head && equalValues(old[len(old)-1-tail], want[len(want)-1-tail]) {
		tail++
	}
	olds, wants := old[head:len(old)-tail], want[head:len(want)-tail]
	both := min(len(olds), len(wants))
	for i := range both {
		edits = difference(edits, at.With(head+i), olds[i], wants[i])
	}
	for i := both; i < len(wants); i++ {
		edits = append(edits, lint.Edit{Op: lint.OpAdd, Path: at.With(head + i), Value: wants[i]})
	}
	for i := len(olds) - 1; i >= both; i-- {
		edits = append(edits, lint.Edit{Op: lint.OpRemove, Path: at.With(head + i)})
	}
	return edits
}

// countIndependent returns how many of the first edits can be made at once: none of
// them is in, around or beside what another changes.
func countIndependent(edits []lint.Edit) int {
	for n, e := range edits {
		for _, before := range edits[:n] {
			a, b := e.Path[:len(e.Path)-1], before.Path[:len(before.Path)-1]
			if short := min(len(a), len(b)); slices.Equal(a[:short], b[:short]) {
				return n
			}
		}
	}
	return len(edits)
}

// A splice replaces a part of a text.
type splice struct {
	from, to int
	with     string
}

// applySplices returns the document after edits that are independent of each other.
func (d *Document) applySplices(edits []lint.Edit) (*Document, error) {
	t := &text{bytes: d.text, starts: lineStarts(d.text)}
	root, err := parse(d.text)
	if err != nil || root == nil {
		return nil, fmt.Errorf("the edits would make the text unreadable: %w", errors.Join(err))
	}
	t.indexLines(root)
	var all []splice
	for _, e := range edits {
		s, err := t.splice(root, e)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", e.Op, e.Path, err)
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b splice) int { return cmp.Or(b.from-a.from, b.to-a.to) })
	out := d.text
	for i, s := range all {
		if s.from > s.to || i > 0 && s.to > all[i-1].from {
			return nil, errors.New("the places to edit overlap")
		}
		out = bytes.Join([][]byte{out[:s.from], []byte(s.with), out[s.to:]}, nil)
	}
	return &Document{file: d.file, before: d.before, text: out}, nil
}
