package crd

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"kstatus.dev/author/crd/internal/difference"
	"kstatus.dev/author/lint"
	"kstatus.dev/internal/decoded"
)

// A maker makes random values, texts and edits.
type maker struct{ *rand.Rand }

var (
	someNames  = []string{"alpha", "beta", "spec", "status", "x-y", "zeta", "on", "1", "a b", "ключ", "it's", "#no", "k:v"}
	someValues = []any{int64(0), int64(-1), 1.5, true, false, nil, "", "plain", "two words", "it's", "yes", "1", "- dash", "a: b", "# no",
		"line\nline", "line\n# not a comment\n\n", "ends with blanks\n\n\n", " leads", "ü", "{x}", "[y", "tab\there", "'q'", "\"q\""}
)

func (m maker) value(depth int) any {
	switch n := m.IntN(10); {
	case depth > 0 && n < 4:
		return m.object(depth)
	case depth > 0 && n < 6:
		list := []any{}
		for range m.IntN(4) {
			list = append(list, m.value(depth-1))
		}
		return list
	}
	return someValues[m.IntN(len(someValues))]
}

func (m maker) object(depth int) map[string]any {
	o := map[string]any{}
	for range m.IntN(5) {
		o[someNames[m.IntN(len(someNames))]] = m.value(depth - 1)
	}
	return o
}

// text writes a value in a random style, with comments.
func (m maker) text(v any) []byte {
	if m.IntN(6) == 0 {
		return []byte(jsonText(v) + "\n")
	}
	var n yaml.Node
	if err := n.Encode(v); err != nil {
		return nil
	}
	m.style(&n, false)
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2 + m.IntN(2)*2)
	if m.IntN(2) == 0 {
		e.CompactSeqIndent()
	}
	if e.Encode(&n) != nil || e.Close() != nil {
		return nil
	}
	text := b.String()
	if m.IntN(4) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if m.IntN(4) == 0 {
		text = strings.TrimRight(text, "\r\n")
	}
	return []byte(text)
}

func (m maker) style(n *yaml.Node, flow bool) {
	if !flow && m.IntN(8) == 0 && n.Kind != yaml.ScalarNode {
		n.Style |= yaml.FlowStyle
		flow = true
	}
	for i, below := range n.Content {
		if !flow && m.IntN(6) == 0 && !(n.Kind == yaml.MappingNode && i%2 == 1) {
			below.HeadComment = "# above " + strconv.Itoa(i)
		}
		if below.Kind == yaml.ScalarNode && below.Tag == "!!str" {
			switch m.IntN(5) {
			case 0:
				below.Style = yaml.DoubleQuotedStyle
			case 1:
				below.Style = yaml.SingleQuotedStyle
			case 2:
				if !flow && (n.Kind != yaml.MappingNode || i%2 == 1) {
					below.Style = yaml.LiteralStyle
				}
			}
			if !flow && m.IntN(6) == 0 && !strings.Contains(below.Value, "\n") && (n.Kind != yaml.MappingNode || i%2 == 1) {
				below.LineComment = "# beside"
			}
		}
		m.style(below, flow)
	}
}

// edit returns an edit that can be applied to a value.
func (m maker) edit(o map[string]any) lint.Edit {
	var at any = o
	var path lint.Path
	for {
		switch v := at.(type) {
		case map[string]any:
			names := sorted(v)
			if len(names) == 0 || m.IntN(4) == 0 {
				return lint.Edit{Op: lint.OpAdd, Path: path.With(someNames[m.IntN(len(someNames))]), Value: m.value(2)}
			}
			name := names[m.IntN(len(names))]
			path, at = path.With(name), v[name]
		case []any:
			if len(v) == 0 || m.IntN(4) == 0 {
				if m.IntN(2) == 0 {
					return lint.Edit{Op: lint.OpAdd, Path: path.With("-"), Value: m.value(2)}
				}
				return lint.Edit{Op: lint.OpAdd, Path: path.With(m.IntN(len(v) + 1)), Value: m.value(2)}
			}
			i := m.IntN(len(v))
			path, at = path.With(i), v[i]
		}
		_, isMap := at.(map[string]any)
		_, isList := at.([]any)
		if !isMap && !isList || m.IntN(3) == 0 {
			if m.IntN(2) == 0 {
				return lint.Edit{Op: lint.OpRemove, Path: path}
			}
			return lint.Edit{Op: lint.OpReplace, Path: path, Value: m.value(2)}
		}
	}
}

func TestEditsOfTextAndObjectAgree(t *testing.T) {
	const rounds = 6_000
	tried, refused := 0, map[string]int{}
	for seed := range uint64(rounds) {
		m := maker{rand.New(rand.NewPCG(seed, 7))}
		o := m.object(4)
		o["kind"] = "Thing"
		text := m.text(o)
		f := Parse("some.yaml", text)
		objects := f.Objects()
		if len(objects) != 1 || !difference.Equal(objects[0].Value, o) {
			continue // the encoder does not always write its input
		}
		edits := []lint.Edit{m.edit(o)}
		want, err := lint.Apply(objects[0].Value, edits...)
		if err != nil || len(want) == 0 {
			continue
		}
		if more := m.edit(want); m.IntN(2) == 0 {
			if both, err := lint.Apply(want, more); err == nil && len(both) > 0 {
				edits, want = append(edits, more), both
			}
		}
		tried++
		after, err := f.Edit(0, edits...)
		if !bytes.Equal(f.Text(), text) {
			t.Fatalf("seed %d: the file given has changed", seed)
		}
		if err != nil {
			refused[err.Error()[strings.LastIndex(err.Error(), ": ")+1:]]++
			if testing.Verbose() && refused[err.Error()[strings.LastIndex(err.Error(), ": ")+1:]] < 3 {
				t.Logf("seed %d: %v\n%s\n%v", seed, err, text, edits)
			}
			continue
		}
		again := Parse("some.yaml", after.Text())
		if len(again.Objects()) != 1 || !difference.Equal(again.Objects()[0].Value, want) {
			t.Fatalf("seed %d: edits %v of\n%s\nmake\n%s\nwant %s", seed, edits, text, after.Text(), jsonText(want))
		}
		if len(edits) == 1 && addsBesideOthers(o, edits[0]) && !onlyInserts(text, after.Text()) {
			t.Fatalf("seed %d: edits %v of\n%s\nmake\n%s\nwant nothing but an insertion", seed, edits, text, after.Text())
		}
	}
	all := 0
	for _, n := range refused {
		all += n
	}
	t.Logf("%d tried, %d refused: %v", tried, all, refused)
	if tried < rounds/2 || all*100 > tried {
		t.Errorf("%d of %d edits were refused, want at most one of a hundred: %v", all, tried, refused)
	}
}

// addsBesideOthers reports whether an edit adds to a collection that is not
// empty.
func addsBesideOthers(o map[string]any, e lint.Edit) bool {
	parent, _ := decoded.AtSteps(o, e.Path[:len(e.Path)-1]...)
	switch v := parent.(type) {
	case map[string]any:
		_, ok := decoded.AtSteps(o, e.Path...)
		return !ok && len(v) > 0
	case []any:
		return e.Op == lint.OpAdd && len(v) > 0
	}
	return false
}

// onlyInserts reports whether one text is the other with an insertion at one
// place.
func onlyInserts(before, after []byte) bool {
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	return bytes.HasSuffix(after, before[head:]) && len(after) >= len(before)
}
