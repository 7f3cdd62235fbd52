package crd

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"kstatus.dev/author/crd/internal/lines"
	"kstatus.dev/author/crd/internal/nodes"
)

// A text is the text of a document, with its style.
type text struct {
	bytes   []byte
	starts  []int // the offsets of its lines
	keys    nodes.Index
	columns map[int][]int // by line: the offset of each hundredth column
	step    int           // indentation of nested mappings, in columns
	compact bool          // lists begin in the column of their key
	quoted  bool          // the text is JSON
}

// newText returns the text of a document with a root node, whose columns it
// corrects. The style is the style of like, or the document's own if like is
// nil.
func newText(content []byte, root *yaml.Node, like *text) *text {
	t := &text{bytes: content, starts: lines.Starts(content), keys: nodes.Index{}, columns: map[int][]int{}}
	t.indexLines(root)
	if like != nil {
		t.step, t.compact, t.quoted = like.step, like.compact, like.quoted
	}
	t.keys.Add(root, func(*yaml.Node) {})
	return t
}

// indexLines determines the style of the text from the first nodes that show
// it.
func (t *text) indexLines(root *yaml.Node) {
	t.step, t.compact = 2, true
	t.quoted = root.Style&yaml.FlowStyle != 0 && len(root.Content) > 0 && root.Content[0].Style == yaml.DoubleQuotedStyle
	t.fixColumns(root)
	step, list := false, false
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		for i, below := range n.Content {
			if step && list {
				return
			}
			if n.Kind == yaml.MappingNode && i%2 == 1 && below.Line > n.Content[i-1].Line {
				in := below.Column - n.Content[i-1].Column
				if !step && in > 0 && below.Kind != yaml.ScalarNode {
					t.step, step = in, true
				}
				if below.Kind == yaml.SequenceNode && !list && below.Style&yaml.FlowStyle == 0 {
					t.compact, list = in == 0, true
				}
			}
			walk(below)
		}
	}
	walk(root)
}

// fixColumns corrects the start of blocks: the column of their first key or
// dash, not of an anchor or a tag before it.
func (t *text) fixColumns(n *yaml.Node) {
	for _, below := range n.Content {
		t.fixColumns(below)
	}
	if n.Style&yaml.FlowStyle != 0 || len(n.Content) == 0 {
		return
	}
	first := n.Content[0]
	switch {
	case n.Kind == yaml.MappingNode:
		n.Line, n.Column = first.Line, first.Column
	case n.Kind == yaml.SequenceNode && (n.Anchor != "" || n.Style&yaml.TaggedStyle != 0):
		for at := t.lineEnd(t.offset(n)); at < len(t.bytes); at = t.lineEnd(at) {
			if line := t.bytes[at:t.lineEnd(at)]; !isBlankOrComment(line) {
				n.Column = indentation(line) + 1
				n.Line, _ = slices.BinarySearch(t.starts, at+1)
				return
			}
		}
	}
}

// offset returns the offset of a node. Columns count characters.
func (t *text) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(t.starts) {
		return len(t.bytes)
	}
	at, columns := t.starts[n.Line-1], max(0, n.Column-1)
	if known := t.columnOffsets(n.Line); columns/100 < len(known) {
		at, columns = known[columns/100], columns%100
	}
	for ; columns > 0 && at < len(t.bytes); columns-- {
		_, size := utf8.DecodeRune(t.bytes[at:])
		at += size
	}
	return at
}

// columnOffsets returns the offset of each hundredth column of a line.
func (t *text) columnOffsets(line int) []int {
	known, ok := t.columns[line]
	if !ok {
		end := len(t.bytes)
		if line < len(t.starts) {
			end = t.starts[line]
		}
		for at, column := t.starts[line-1], 0; at < end; column++ {
			if column%100 == 0 {
				known = append(known, at)
			}
			_, size := utf8.DecodeRune(t.bytes[at:end])
			at += size
		}
		t.columns[line] = known
	}
	return known
}

// lineStart returns the start of the line at an offset.
func (t *text) lineStart(at int) int {
	return bytes.LastIndexByte(t.bytes[:at], '\n') + 1
}

// lineEnd returns the end of the line at an offset, including its line ending.
func (t *text) lineEnd(at int) int {
	if n := bytes.IndexByte(t.bytes[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(t.bytes)
}

// first reports whether only spaces come before an offset on its line.
func (t *text) first(at int) bool {
	return len(bytes.Trim(t.bytes[t.lineStart(at):at], " ")) == 0
}

// newline returns the line ending at an offset.
func (t *text) newline(at int) string {
	end := t.lineEnd(min(at, max(0, len(t.bytes)-1)))
	if !bytes.HasSuffix(t.bytes[:end], []byte("\n")) {
		end = t.lineEnd(0)
	}
	if bytes.HasSuffix(t.bytes[:end], []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// isBlankOrComment reports whether a line is blank or a comment.
func isBlankOrComment(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\n")
	return len(line) == 0 || line[0] == '#'
}

// indentation returns the number of spaces at the start of a line; -1 for a
// blank line.
func indentation(line []byte) int {
	rest := bytes.TrimLeft(line, " ")
	if len(bytes.Trim(rest, "\t\r\n")) == 0 {
		return -1
	}
	return len(line) - len(rest)
}

// contentEnd returns the end of a value whose key or dash is in a column. It
// excludes comments and blank lines that belong to the next value, which begins
// at limit.
func (t *text) contentEnd(value *yaml.Node, column, limit int) int {
	if limit < len(t.bytes) {
		limit = t.lineStart(limit)
	}
	last := value
	for len(last.Content) > 0 && last.Style&yaml.FlowStyle == 0 {
		if last.Kind == yaml.MappingNode {
			column = last.Content[len(last.Content)-2].Column
		} else {
			column = last.Column
		}
		last = last.Content[len(last.Content)-1]
	}
	start := t.lineEnd(t.offset(last))
	if last.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return t.blockEnd(start, column, limit)
	}
	for limit > start {
		begin := t.lineStart(limit - 1)
		if !isBlankOrComment(t.bytes[begin:limit]) {
			break
		}
		limit = begin
	}
	return limit
}

// blockEnd returns the end of a block scalar whose lines begin at start and are
// indented by more than column. Trailing blank lines count if the header says
// keep.
func (t *text) blockEnd(start, column, limit int) int {
	header := t.bytes[t.lineStart(max(0, start-1)):start]
	if i := bytes.LastIndexAny(header, "|>"); i >= 0 {
		header = header[i:]
	}
	keep := bytes.ContainsRune(bytes.SplitN(header, []byte("#"), 2)[0], '+')
	end := start
	for at := start; at < limit; {
		next := min(t.lineEnd(at), limit)
		switch in := indentation(t.bytes[at:next]); {
		case in >= column:
			end = next
		case in >= 0:
			return end
		case keep:
			end = next
		}
		at = next
	}
	return end
}

// shift indents all lines that are not blank, and uses the line endings at an
// offset.
func (t *text) shift(lines string, spaces, at int) string {
	var b strings.Builder
	newline := t.newline(at)
	for line := range strings.Lines(lines) {
		trimmed := strings.TrimSuffix(line, "\n")
		if trimmed != "" {
			b.WriteString(strings.Repeat(" ", spaces) + trimmed)
		}
		b.WriteString(newline)
	}
	return b.String()
}
