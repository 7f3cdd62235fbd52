package crd

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"kstatus.dev/kube/crd/internal/lines"
	"kstatus.dev/kube/crd/internal/nodes"
)

// A text is the text of a document, and how it is written.
type text struct {
	bytes   []byte
	starts  []int // of its lines
	keys    nodes.Index
	columns map[int][]int // by line, where each hundredth column begins
	step    int           // by how many columns a mapping within a mapping is indented
	compact bool          // lists of a mapping begin in the column of their name
	quoted  bool          // it is JSON
}

// newText returns the text of a document with a root, whose columns it corrects. It is
// written as another text is, unless that is nil.
func newText(content []byte, root *yaml.Node, like *text) *text {
	t := &text{bytes: content, starts: lines.Starts(content), keys: nodes.Index{}, columns: map[int][]int{}}
	t.indexLines(root)
	if like != nil {
		t.step, t.compact, t.quoted = like.step, like.compact, like.quoted
	}
	t.keys.Add(root, func(*yaml.Node) {})
	return t
}

// indexLines finds out how the text is written: by the first that can tell.
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

// fixColumns has blocks begin where their first name or dash stands, and not at
// an anchor or a tag before it.
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
			if line := t.bytes[at:t.lineEnd(at)]; !isIdle(line) {
				n.Column = indentation(line) + 1
				n.Line, _ = slices.BinarySearch(t.starts, at+1)
				return
			}
		}
	}
}

// offset returns where a node begins. Columns are counted in characters.
func (t *text) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(t.starts) {
		return len(t.bytes)
	}
	at, columns := t.starts[n.Line-1], max(0, n.Column-1)
	if known := t.hundreds(n.Line); columns/100 < len(known) {
		at, columns = known[columns/100], columns%100
	}
	for ; columns > 0 && at < len(t.bytes); columns-- {
		_, size := utf8.DecodeRune(t.bytes[at:])
		at += size
	}
	return at
}

// hundreds returns where each hundredth column of a line begins.
func (t *text) hundreds(line int) []int {
	known, there := t.columns[line]
	if !there {
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

// lineStart returns where the line begins in which an offset is.
func (t *text) lineStart(at int) int {
	return bytes.LastIndexByte(t.bytes[:at], '\n') + 1
}

// lineEnd returns where the line ends in which an offset is, behind its end mark.
func (t *text) lineEnd(at int) int {
	if n := bytes.IndexByte(t.bytes[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(t.bytes)
}

// first reports whether nothing but spaces stands before an offset on its line.
func (t *text) first(at int) bool {
	return len(bytes.Trim(t.bytes[t.lineStart(at):at], " ")) == 0
}

// newline returns how lines end at an offset.
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

// isIdle reports whether a line is blank or a comment.
func isIdle(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\n")
	return len(line) == 0 || line[0] == '#'
}

// indentation returns how many spaces a line begins with; -1 if it is blank.
func indentation(line []byte) int {
	rest := bytes.TrimLeft(line, " ")
	if len(bytes.Trim(rest, "\t\r\n")) == 0 {
		return -1
	}
	return len(line) - len(rest)
}

// contentEnd returns where what a name or a dash in a column begins is over: behind
// its last line, before comments and blank lines that belong to what follows at
// limit.
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
		if !isIdle(t.bytes[begin:limit]) {
			break
		}
		limit = begin
	}
	return limit
}

// blockEnd returns where a block scalar is over whose lines begin at start and
// stand behind a column. Blank lines at its end count if the header says keep.
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

// shift returns lines of text with so many spaces before each that is not
// blank, and line ends as they are at an offset.
func (t *text) shift(lines string, spaces, at int) string {
	var b strings.Builder
	newline := t.newline(at)
	for line := range strings.Lines(lines) {
		bare := strings.TrimSuffix(line, "\n")
		if bare != "" {
			b.WriteString(strings.Repeat(" ", spaces) + bare)
		}
		b.WriteString(newline)
	}
	return b.String()
}
