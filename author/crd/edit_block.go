package crd

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"kstatus.dev/author/lint"
)

// A valuePosition is the position of a value.
type valuePosition struct {
	parent *valuePosition // the parent; nil for the whole document
	index  int            // index of its node in the content of the parent
	key    *yaml.Node
	value  *yaml.Node
	column int // column of its key or dash
	limit  int // the offset of the text after it
}

var (
	errAlias   = errors.New("it is inside of an alias, so the edit would change other places too")
	errMerged  = errors.New("it has no text of its own; it may come from a merge key")
	errComplex = errors.New("its key is written after a question mark")
)

// find returns the position of the value at a path.
func (t *text) find(root *yaml.Node, p lint.Path) (*valuePosition, error) {
	at := &valuePosition{value: root, column: root.Column, limit: len(t.bytes)}
	for _, step := range p {
		if at.value.Kind == yaml.AliasNode {
			return nil, errAlias
		}
		index, key, value := t.keys.Child(at.value, step)
		if value == nil {
			return nil, errMerged
		}
		at = t.below(at, index, key, value)
	}
	if at.value.Kind == yaml.AliasNode {
		return nil, errAlias
	}
	return at, nil
}

// below returns the position of a value inside of another.
func (t *text) below(at *valuePosition, index int, key, value *yaml.Node) *valuePosition {
	s := &valuePosition{parent: at, key: key, value: value, index: index, limit: at.limit}
	switch {
	case key != nil:
		s.column = key.Column
		if s.index+1 < len(at.value.Content) {
			s.limit = t.offset(at.value.Content[s.index+1])
		}
	default:
		s.column = at.value.Column
		if s.index+1 < len(at.value.Content) {
			s.limit = t.dash(at.value, s.index+1)
		}
	}
	return s
}

// dash returns the offset of the dash of an item of a block sequence.
func (t *text) dash(list *yaml.Node, i int) int {
	item := list.Content[i]
	if list.Style&yaml.FlowStyle != 0 {
		return t.offset(item)
	}
	for line := item.Line; line >= list.Line && line > 0; line-- {
		at := t.offset(&yaml.Node{Line: line, Column: list.Column})
		if at < len(t.bytes) && t.bytes[at] == '-' && at <= t.offset(item) {
			return at
		}
	}
	return t.offset(item)
}

func (s *valuePosition) flow() bool { return s.value.Style&yaml.FlowStyle != 0 }

// splice returns the change of the text for an edit.
func (t *text) splice(root *yaml.Node, e lint.Edit) (splice, error) {
	parent, err := t.find(root, e.Path[:len(e.Path)-1])
	if err != nil {
		return splice{}, err
	}
	last := e.Path[len(e.Path)-1]
	index, key, value := t.keys.Child(parent.value, last)
	exists := value != nil && !(e.Op == lint.OpAdd && parent.value.Kind == yaml.SequenceNode)
	switch {
	case !exists && e.Op != lint.OpAdd:
		return splice{}, errMerged
	case len(parent.value.Content) == 0 && parent.value.Kind == yaml.MappingNode:
		return t.replace(parent, map[string]any{last.(string): e.Value})
	case len(parent.value.Content) == 0:
		return t.replace(parent, []any{e.Value})
	case exists && e.Op == lint.OpRemove && len(parent.value.Content) == 2 && key != nil:
		return t.replace(parent, map[string]any{})
	case exists && e.Op == lint.OpRemove && len(parent.value.Content) == 1:
		return t.replace(parent, []any{})
	case exists && e.Op != lint.OpRemove:
		return t.replace(t.below(parent, index, key, value), e.Value)
	case parent.flow():
		return t.flowSplice(parent, e)
	case exists:
		return t.remove(t.below(parent, index, key, value))
	case parent.value.Kind == yaml.MappingNode:
		return t.addField(parent, last.(string), e.Value)
	}
	i, ok := last.(int)
	if !ok {
		i = len(parent.value.Content) // "-"
	}
	return t.addItem(parent, i, e.Value)
}

// remove removes the lines of a field or an item that has siblings. If it
// follows a dash on the same line, the next field moves to the dash.
func (t *text) remove(s *valuePosition) (splice, error) {
	from := t.begin(s)
	if s.key != nil && bytes.HasSuffix(bytes.TrimRight(t.bytes[t.lineStart(from):from], " "), []byte("?")) {
		return splice{}, errComplex
	}
	end := t.contentEnd(s.value, s.column, s.limit)
	if t.first(from) {
		return splice{t.lineStart(from), end, ""}, nil
	}
	if s.index+1 >= len(s.parent.value.Content) {
		return splice{}, errors.New("it follows other values on the same line")
	}
	if bytes.Contains(t.bytes[end:max(end, t.lineStart(s.limit))], []byte("#")) {
		return splice{}, errors.New("a comment after it would lose its place")
	}
	return splice{from, s.limit, ""}, nil
}

// begin returns the offset of the key or the dash of a value.
func (t *text) begin(s *valuePosition) int {
	if s.key != nil {
		return t.offset(s.key)
	}
	return t.dash(s.parent.value, s.index)
}

// addField adds a field to a block mapping: at its sorted position if the keys
// are sorted, else at the end.
func (t *text) addField(m *valuePosition, name string, value any) (splice, error) {
	var names []string
	for i := 0; i < len(m.value.Content); i += 2 {
		names = append(names, m.value.Content[i].Value)
	}
	i := len(names)
	if slices.IsSorted(names) {
		i, _ = slices.BinarySearch(names, name)
	}
	lines, err := t.encode(map[string]any{name: value})
	if err != nil {
		return splice{}, err
	}
	var before *valuePosition
	if i > 0 {
		before = t.below(m, 2*i-1, m.value.Content[2*i-2], m.value.Content[2*i-1])
	}
	return t.insert(m, before, t.offset(m.value.Content[0]), lines), nil
}

// addItem adds an item to a block sequence.
func (t *text) addItem(list *valuePosition, i int, value any) (splice, error) {
	lines, err := t.encode([]any{value})
	if err != nil {
		return splice{}, err
	}
	var before *valuePosition
	if i > 0 {
		before = t.below(list, i-1, nil, list.value.Content[i-1])
	}
	return t.insert(list, before, t.dash(list.value, 0), lines), nil
}

// insert inserts lines after a sibling, or before the first item, which begins
// at an offset.
func (t *text) insert(in, before *valuePosition, first int, lines string) splice {
	spaces := in.value.Column - 1
	if before == nil && !t.first(first) {
		shifted := t.shift(lines, spaces, first)
		return splice{first, first, strings.TrimLeft(shifted, " ") + strings.Repeat(" ", spaces)}
	}
	at := t.lineStart(first)
	switch {
	case before != nil:
		at = t.contentEnd(before.value, before.column, before.limit)
	case in.parent != nil: // a comment above the first item belongs to it
		for at > 0 && isBlankOrComment(t.bytes[t.lineStart(at-1):at]) {
			at = t.lineStart(at - 1)
		}
	}
	return t.lines(at, t.shift(lines, spaces, at))
}

// lines inserts whole lines. If the last line has no line ending, it adds one
// first.
func (t *text) lines(at int, lines string) splice {
	if at > 0 && t.bytes[at-1] != '\n' {
		newline := t.newline(at)
		lines = newline + strings.TrimSuffix(lines, newline)
	}
	return splice{at, at, lines}
}

// replace replaces a value.
func (t *text) replace(s *valuePosition, value any) (splice, error) {
	if s.parent == nil {
		return splice{}, errors.New("the whole document would be replaced")
	}
	from, end := t.offset(s.value), t.valueEnd(s.value)
	_, isMap := value.(map[string]any)
	_, isList := value.([]any)
	if s.parent.flow() {
		if end < 0 {
			return splice{}, errors.New("the end of the value is not known")
		}
		return splice{from, end, t.flowValue(value, s.parent)}, nil
	}
	if end >= from && !isMap && !isList && s.value.Kind == yaml.ScalarNode {
		return splice{from, end, t.scalar(value, s.value)}, nil
	}
	return t.rewrite(s, value, end)
}

// rewrite replaces all lines of a field or an item of a block. A comment after
// its key or its value stays.
func (t *text) rewrite(s *valuePosition, value any, end int) (splice, error) {
	begin := t.begin(s)
	head := begin + 1 // after the dash
	if s.key != nil {
		if head = t.valueEnd(s.key); head < 0 || head >= len(t.bytes) || t.bytes[head] != ':' {
			return splice{}, errComplex
		}
		head++
	}
	if end < 0 {
		end = head
	}
	comment := t.comment(end)
	var lines string
	var err error
	if s.key != nil {
		lines, err = t.encode(map[string]any{"k": value})
		lines = string(t.bytes[begin:head]) + strings.TrimPrefix(lines, "k:")
	} else {
		lines, err = t.encode([]any{value})
	}
	if err != nil {
		return splice{}, err
	}
	if comment != "" {
		first, rest, _ := strings.Cut(lines, "\n")
		lines = first + comment + "\n" + rest
	}
	to := t.contentEnd(s.value, s.column, s.limit)
	shifted := strings.TrimLeft(t.shift(lines, s.column-1, begin), " ")
	if to == len(t.bytes) && !bytes.HasSuffix(t.bytes, []byte("\n")) {
		shifted = strings.TrimRight(shifted, "\r\n")
	}
	return splice{begin, to, shifted}, nil
}

// comment returns the rest of a line with the space before it, if it is only a
// comment.
func (t *text) comment(at int) string {
	rest := strings.TrimRight(string(t.bytes[at:t.lineEnd(min(at, len(t.bytes)))]), " \t\r\n")
	if trimmed := strings.TrimLeft(rest, " \t"); strings.HasPrefix(trimmed, "#") && len(trimmed) < len(rest) {
		return rest
	}
	return ""
}
