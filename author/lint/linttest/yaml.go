package linttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"kstatus.dev/author/lint"
)

// shapeOf returns the patch with true for every value that it sets or removes.
func shapeOf(patch any) any {
	m, ok := patch.(map[string]any)
	if !ok || len(m) == 0 && patch == nil {
		return true
	}
	shape := map[string]any{}
	for k, v := range m {
		if child, ok := v.(map[string]any); ok && len(child) > 0 {
			shape[k] = shapeOf(child)
			continue
		}
		shape[k] = true
	}
	return shape
}

// descend follows a shape while it touches only one field, and returns the last object on that
// path.
func descend(node any, shape map[string]any) (lint.Path, any, map[string]any) {
	var path lint.Path
	for len(shape) == 1 {
		key := slices.Collect(maps.Keys(shape))[0]
		below, deeper := shape[key].(map[string]any)
		if !deeper {
			break
		}
		var child any
		var step any = key
		switch n := node.(type) {
		case map[string]any:
			child = n[key]
		case []any:
			if i, err := strconv.Atoi(key); err == nil && i < len(n) {
				child, step = n[i], i
			}
		}
		if _, ok := child.(map[string]any); !ok {
			if _, ok := child.([]any); !ok {
				break
			}
		}
		path, node, shape = append(path, step), child, below
	}
	return path, node, shape
}

// writeShaped writes an object as YAML: fields in the shape in full, other fields in short, and
// missing fields as comments.
func writeShaped(b *strings.Builder, node any, shape map[string]any, depth int) {
	pad := strings.Repeat("  ", depth)
	m, ok := node.(map[string]any)
	if !ok {
		list, _ := node.([]any)
		for i, item := range list {
			if touched, ok := shape[strconv.Itoa(i)].(map[string]any); ok {
				fmt.Fprintf(b, "%s- # item %d\n", pad, i)
				writeShaped(b, item, touched, depth+1)
				continue
			}
			fmt.Fprintf(b, "%s- %s\n", pad, oneLine(item))
		}
		return
	}
	keys := slices.Collect(maps.Keys(m))
	for k := range shape {
		if _, there := m[k]; !there {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		value, there := m[k]
		touched, deeper := shape[k].(map[string]any)
		switch {
		case !there:
			fmt.Fprintf(b, "%s# no %s\n", pad, k)
		case shape[k] == nil:
			fmt.Fprintf(b, "%s%s: %s\n", pad, quoteIfNeeded(k), oneLine(value))
		case deeper && oneLine(value) == "{}":
			fmt.Fprintf(b, "%s%s: {}\n", pad, quoteIfNeeded(k))
		case deeper:
			fmt.Fprintf(b, "%s%s:\n", pad, quoteIfNeeded(k))
			writeShaped(b, value, touched, depth+1)
		default:
			writeYAML(b, k, outline(value, 3), depth)
		}
	}
}

// outline returns a value without the parts below a number of levels.
func outline(v any, levels int) any {
	m, ok := v.(map[string]any)
	if !ok || len(m) == 0 {
		return v
	}
	if levels == 0 {
		return omitted{}
	}
	kept := map[string]any{}
	for k, child := range m {
		kept[k] = outline(child, levels-1)
	}
	return kept
}

// omitted replaces omitted parts.
type omitted struct{}

// oneLine returns a value in one line, without nested values.
func oneLine(v any) string {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return "{}"
		}
		return "{…}"
	case []any:
		if len(v) == 0 {
			return "[]"
		}
		return "[…]"
	}
	return scalar(v)
}

func writeYAML(b *strings.Builder, key string, v any, depth int) {
	pad := strings.Repeat("  ", depth)
	if text, err := flowStyle(v); err == nil && len(text)+len(key)+2*depth < 100 {
		fmt.Fprintf(b, "%s%s: %s\n", pad, quoteIfNeeded(key), text)
		return
	}
	fmt.Fprintf(b, "%s%s:\n", pad, quoteIfNeeded(key))
	switch v := v.(type) {
	case map[string]any:
		writeFields(b, v, depth+1)
	case []any:
		for _, item := range v {
			text, _ := flowStyle(item)
			fmt.Fprintf(b, "%s- %s\n", pad, text)
		}
	}
}

func writeFields(b *strings.Builder, m map[string]any, depth int) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		writeYAML(b, k, m[k], depth)
	}
}

// flowStyle returns a value in the flow style of YAML: {type: integer}.
func flowStyle(v any) (string, error) {
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			text, err := flowStyle(v[k])
			if err != nil {
				return "", err
			}
			parts = append(parts, quoteIfNeeded(k)+": "+text)
		}
		return "{" + strings.Join(parts, ", ") + "}", nil
	case []any:
		var parts []string
		for _, item := range v {
			text, err := flowStyle(item)
			if err != nil {
				return "", err
			}
			parts = append(parts, text)
		}
		return "[" + strings.Join(parts, ", ") + "]", nil
	}
	return scalar(v), nil
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return quoteIfNeeded(v)
	case omitted:
		return "{…}"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%q", fmt.Sprint(v))
	}
	return string(text)
}

// quoteIfNeeded returns a text so that YAML reads it back.
func quoteIfNeeded(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./ ", r)
	})
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		plain = false
	}
	if plain && strings.ContainsFunc(s[:1], unicode.IsLetter) && !strings.HasSuffix(s, " ") {
		return s
	}
	return strconv.Quote(s)
}
