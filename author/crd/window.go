package crd

import (
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"

	"kstatus.dev/author/crd/internal/lines"
	"kstatus.dev/author/lint"
)

// A layout holds the positions of the parts of a document. It is computed once,
// on demand.
type layout struct {
	once sync.Once
	text *text // nil: unknown
	root *yaml.Node
	like *text
}

// parsedLayout returns the layout of the document.
func (d *Document) parsedLayout() *layout {
	d.layout.once.Do(func() {
		if root, err := parse(d.text); err == nil && root != nil {
			d.layout.root, d.layout.text = root, newText(d.text, root, d.layout.like)
		}
	})
	return d.layout
}

// Hunks returns the changes of lines that [File.Edit] makes for one object. It
// processes only the text around the edits, so that the cost for all objects
// grows linearly with the file.
func (o *Object) Hunks(edits ...lint.Edit) ([]Hunk, error) {
	d := o.Document
	if w := o.window(edits); w != nil {
		now, failed, err := w.object.Document.edit(map[*Object][]lint.Edit{w.object: w.edits}, nil)
		if err == nil && len(failed) == 0 {
			if all := w.toFileLines(lines.Hunks(w.object.Document.text, now.text), d.Line-1); all != nil {
				return all, nil
			}
		}
	}
	now, failed, err := d.edit(map[*Object][]lint.Edit{o: edits}, nil)
	if err == nil {
		err = failed[o]
	}
	if err != nil {
		return nil, o.error(err)
	}
	all := lines.Hunks(d.text, now.text)
	for i := range all {
		all[i].Line += d.Line - 1
	}
	return all, nil
}

// A window is a part of a document that is itself a document. It omits list
// items that contain no edits.
type window struct {
	object *Object // the object in the part
	edits  []lint.Edit
	lines  []int // the lines of the document, by lines of the part
}

// toFileLines converts hunks to lines of the file. It returns nil if the lines are
// not adjacent there.
func (w *window) toFileLines(hunks []Hunk, before int) []Hunk {
	for i, h := range hunks {
		first, last := h.Line-1, h.Line-1+h.Removed-1
		switch {
		case h.Removed > 0 && w.lines[last]-w.lines[first] == h.Removed-1:
			hunks[i].Line = w.lines[first] + before
		case h.Removed == 0 && first > 0:
			hunks[i].Line = w.lines[first-1] + 1 + before
		default:
			return nil
		}
	}
	return hunks
}

// window returns the part of the document around the edits of the object. It
// returns nil if that is the whole document, or if the positions are not known.
// It can omit items that begin on lines of their own.
func (o *Object) window(edits []lint.Edit) *window {
	at := o.Document.parsedLayout()
	if at.text == nil || o.Document.hasAliases || !o.found || len(edits) == 0 {
		return nil
	}
	path := append(o.path.With(), common(edits)...)
	var left []lineRange
	node := at.root
	for i, step := range path {
		list, index := node, 0
		if index, _, node = at.text.keys.Child(list, step); node == nil {
			return nil
		}
		if _, isItem := step.(int); isItem {
			ranges, before := at.text.otherItems(list, index)
			left, path[i] = append(left, ranges...), index-before
		}
	}
	if len(left) == 0 {
		return nil
	}
	w := &window{}
	part := &Document{file: o.Document.file, text: at.text.without(left, &w.lines), styleOf: at.text}
	part.read()
	for _, same := range part.Objects {
		if slices.Equal(same.path, path[:len(o.path)]) {
			w.object = same
		}
	}
	if w.object == nil {
		return nil
	}
	for _, e := range edits {
		e.Path = append(path[len(o.path):].With(), e.Path[len(path)-len(o.path):]...)
		w.edits = append(w.edits, e)
	}
	return w
}

// common returns the common prefix of the paths of edits, without their last
// steps.
func common(edits []lint.Edit) lint.Path {
	p := edits[0].Path[:len(edits[0].Path)-1]
	for _, e := range edits[1:] {
		n := 0
		for n < len(p) && n < len(e.Path)-1 && p[n] == e.Path[n] {
			n++
		}
		p = p[:n]
	}
	return p
}

// A lineRange is a range of lines, counted from 1, without the last.
type lineRange struct{ from, to int }

// otherItems returns the lines of all items of a list except one, the next one, and
// the last one. before is the number of these lines before that item. It
// returns nil if items share lines.
func (t *text) otherItems(list *yaml.Node, index int) (all []lineRange, before int) {
	last := len(list.Content) - 1
	first, this := t.itemLine(list, 0), t.itemLine(list, index)
	if first == 0 || this == 0 {
		return nil, 0
	}
	if index > 0 {
		all, before = append(all, lineRange{first, this}), index
	}
	if index+2 < last {
		if from, to := t.itemLine(list, index+2), t.itemLine(list, last); from > 0 && to > 0 {
			all = append(all, lineRange{from, to})
		}
	}
	return all, before
}

// itemLine returns the line of an item of a list, if the item begins that line.
func (t *text) itemLine(list *yaml.Node, index int) int {
	at := t.dash(list, index)
	if !t.first(at) {
		return 0
	}
	line, exact := slices.BinarySearch(t.starts, at)
	if exact {
		line++
	}
	return line
}

// without returns the text without some lines, and appends the remaining line
// numbers to kept.
func (t *text) without(left []lineRange, kept *[]int) []byte {
	slices.SortFunc(left, func(a, b lineRange) int { return a.from - b.from })
	var out []byte
	line := 1
	for _, r := range append(left, lineRange{len(t.starts) + 1, 0}) {
		start, end := len(t.bytes), len(t.bytes)
		if line <= len(t.starts) {
			start = t.starts[line-1]
		}
		if r.from <= len(t.starts) {
			end = t.starts[r.from-1]
		}
		out = append(out, t.bytes[start:max(start, end)]...)
		for ; line < r.from; line++ {
			*kept = append(*kept, line)
		}
		line = r.to
	}
	return out
}
