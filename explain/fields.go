package explain

import (
	"fmt"
	"iter"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"kstatus.dev/internal/text"
)

// fields reads a part of an object. What is missing, null or of another shape
// reads as nothing: what is malformed explains nothing, and the verdict on the
// object has told of it.
//
// A path is dotted, with [name] for the item of a list whose name, type or key
// has that value: "status.conditions[Ready].reason".
type fields struct {
	m    map[string]any
	path string // of m in its object, empty or ending in a dot
	node *node
}

// get returns the value at a path, nil if there is none.
func (f fields) get(path string) any {
	var at any = f.m
	for path != "" && at != nil {
		var step string
		step, path = cutStep(path)
		if name, ok := strings.CutPrefix(step, "["); ok {
			at = itemNamed(at, strings.TrimSuffix(name, "]"))
			continue
		}
		m, _ := at.(map[string]any)
		at = m[step]
	}
	return at
}

// cutStep splits a path after its first step, a field or an item of a list.
func cutStep(path string) (step, rest string) {
	if path[0] == '[' {
		end := strings.IndexByte(path, ']')
		if end < 0 {
			return path, ""
		}
		return path[:end+1], strings.TrimPrefix(path[end+1:], ".")
	}
	for i := range len(path) {
		switch path[i] {
		case '.':
			return path[:i], path[i+1:]
		case '[':
			return path[:i], path[i:]
		}
	}
	return path, ""
}

// itemNamed returns the item of a list that has the name, or else that index, or the value of a map
// under a key that is no field name, such as an annotation's.
func itemNamed(v any, name string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[name]
	case []any:
		for _, item := range v {
			if m, ok := item.(map[string]any); ok && nameOf(m) == name {
				return m
			}
		}
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v) {
			return v[i]
		}
	}
	return nil
}

// nameOf returns what an item of a list is known by.
func nameOf(m map[string]any) string {
	for _, key := range [...]string{"name", "type", "key"} {
		if s, ok := m[key].(string); ok {
			return s
		}
	}
	return ""
}

// text returns a string, empty if there is none.
func (f fields) text(path string) string {
	s, _ := f.get(path).(string)
	return s
}

// has reports whether a field is there and not null.
func (f fields) has(path string) bool { return f.get(path) != nil }

// is reports whether a boolean field is true.
func (f fields) is(path string) bool {
	b, _ := f.get(path).(bool)
	return b
}

// whole returns a whole number, the given one if there is none.
func (f fields) whole(path string, missing int64) int64 {
	switch n := f.get(path).(type) {
	case int64:
		return n
	case int:
		return int64(n)
	case float64:
		if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			return int64(n)
		}
	case interface{ Int64() (int64, error) }:
		if i, err := n.Int64(); err == nil {
			return i
		}
	}
	return missing
}

// under returns the map at a path; a missing one reads as empty.
func (f fields) under(path string) fields {
	m, _ := f.get(path).(map[string]any)
	return fields{m, f.path + path + ".", f.node}
}

// each yields the maps of a list, known by their name or else by their index.
func (f fields) each(path string) iter.Seq[fields] {
	return func(yield func(fields) bool) {
		list, _ := f.get(path).([]any)
		for i, item := range list {
			m, ok := item.(map[string]any)
			if !ok {
				continue
			}
			name := nameOf(m)
			if name == "" {
				name = strconv.Itoa(i)
			}
			if !yield(fields{m, f.path + path + "[" + name + "].", f.node}) {
				return
			}
		}
	}
}

// texts returns the strings of a list.
func (f fields) texts(path string) (all []string) {
	list, _ := f.get(path).([]any)
	for _, item := range list {
		if s, ok := item.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// length returns how long a list is, zero if there is none.
func (f fields) length(path string) int {
	list, _ := f.get(path).([]any)
	return len(list)
}

// as returns evidence that tells in given words what stands at a path.
func (f fields) as(path, value string) Evidence {
	e := f.evidence(path)
	e.Value = bounded(value)
	return e
}

// evidence returns what stands at a path, as evidence; "not set" if nothing does.
func (f fields) evidence(path string) Evidence {
	whole := f.path + path
	if strings.HasPrefix(path, "[") {
		whole = strings.TrimSuffix(f.path, ".") + path
	}
	return Evidence{From: originOf(whole), Object: f.node.ID, Path: bounded("." + whole), Value: shown(f.get(path))}
}

// originOf says who writes a field.
func originOf(path string) Origin {
	if path == "status" || strings.HasPrefix(path, "status.") || strings.HasPrefix(path, "metadata.deletion") {
		return FromStatus
	}
	return FromSpec
}

// shown returns a value for people, bounded and on one line.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "not set"
	case map[string]any:
		return fmt.Sprintf("%d fields", len(v))
	case []any:
		var texts []string
		for _, item := range v {
			switch item.(type) {
			case map[string]any, []any, nil:
				return fmt.Sprintf("%d items", len(v))
			}
			if len(texts) == 8 {
				return fmt.Sprintf("%d items", len(v))
			}
			texts = append(texts, fmt.Sprint(item))
		}
		return bounded("[" + strings.Join(texts, " ") + "]")
	}
	return bounded(fmt.Sprint(v))
}

// mostText is how many bytes of one message are shown.
const mostText = 500

// colours are the escape sequences by which programs colour what they print.
var colours = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// printed returns a line that a container has printed, bounded and without its colours.
func printed(line string) string { return bounded(colours.ReplaceAllString(read(line), "")) }

// bounded returns text from a cluster on one line, safe to print, and cut where
// it is too long.
func bounded(s string) string {
	if len(s) <= mostText && plain(s) {
		return s
	}
	kept := strings.Join(strings.FieldsFunc(text.Safe(text.CutWith(s, mostText, "")), unicode.IsSpace), " ")
	if len(s) > mostText {
		kept += text.Ellipsis
	}
	return kept
}

// plain reports whether a text is of printable ASCII with single blanks between words.
func plain(text string) bool {
	blank := true
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && blank {
			return false
		}
		blank = c == ' '
	}
	return !blank || text == ""
}
