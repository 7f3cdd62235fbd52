package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"sigs.k8s.io/json"

	safetext "kstatus.dev/internal/text"
)

// splitJSON splits a text that begins with a brace into its JSON values, and lists of objects
// into their items. It reads only brackets and quotes; decoding finds other errors later. After
// a value without an end, it continues at the next line that begins with a brace. It limits the
// number of such values, since it reads each of them to the end of the text.
func splitJSON(from Source, text []byte) []Document {
	var pieces []Document
	const mostUnended = 100
	line, counted, unended := from.Line, 0, 0
	lineAt := func(at int) int {
		line += bytes.Count(text[counted:at], []byte("\n"))
		counted = at
		return line
	}
	for at := skipSpace(text, 0); at < len(text); at = skipSpace(text, at) {
		value := Document{from: Source{File: from.File, Line: lineAt(at)}, json: true}
		if list, items, end := jsonList(text, at); end > 0 {
			for _, i := range items {
				value.from.Line = lineAt(i.start)
				value.first, value.Text, value.list = value.from.Line, text[i.start:i.end], list
				pieces = append(pieces, value)
			}
			at = end
			continue
		}
		end := skipValue(text, at)
		if end < 0 {
			unended++
		}
		switch {
		case unended > mostUnended:
			end = len(text)
		case end < 0, text[at] != '{':
			end = nextObject(text, at)
		}
		value.first, value.Text = value.from.Line, bytes.TrimRight(text[at:end], " \t\r\n")
		pieces = append(pieces, value)
		at = end
	}
	return pieces
}

// nextObject returns the offset of the next line that begins with a brace.
func nextObject(text []byte, at int) int {
	if n := bytes.Index(text[at:], []byte("\n{")); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// A listType is the type of a list of objects. The items of a typed list from the API server
// have no type of their own.
type listType struct{ apiVersion, kind string }

// complete sets the type of an item without one.
func (l listType) complete(o map[string]any) {
	kind := strings.TrimSuffix(l.kind, "List")
	if kind == "" || o == nil || o["kind"] != nil || o["apiVersion"] != nil {
		return
	}
	o["apiVersion"], o["kind"] = l.apiVersion, kind
}

// A span is a range of offsets in a text.
type span struct{ start, end int }

// jsonList returns the items of the list of objects at an offset, and its end. The end is zero
// if there is no such list.
func jsonList(text []byte, at int) (list listType, items []span, end int) {
	found := false
	if at >= len(text) || text[at] != '{' {
		return list, nil, 0
	}
	for at = skipSpace(text, at+1); at < len(text) && text[at] == '"'; {
		keyEnd := skipValue(text, at)
		if keyEnd < 0 {
			return list, nil, 0
		}
		key := text[at+1 : keyEnd-1]
		at = skipSpace(text, keyEnd)
		if at >= len(text) || text[at] != ':' {
			return list, nil, 0
		}
		at = skipSpace(text, at+1)
		var valueEnd int
		if string(key) == "items" && !found {
			items, valueEnd = jsonItems(text, at)
			found = true
		} else {
			valueEnd = skipValue(text, at)
		}
		if valueEnd < 0 {
			return list, nil, 0
		}
		switch value := bytes.Trim(text[at:valueEnd], `"`); string(key) {
		case "apiVersion":
			list.apiVersion = string(value)
		case "kind":
			list.kind = string(value)
		}
		at = skipSpace(text, valueEnd)
		if at >= len(text) || text[at] != ',' {
			break
		}
		at = skipSpace(text, at+1)
	}
	if at >= len(text) || text[at] != '}' || !found || !strings.HasSuffix(list.kind, "List") {
		return list, nil, 0
	}
	return list, items, at + 1
}

// jsonItems returns the items of the array at an offset, and its end. The end is negative if
// there is no array.
func jsonItems(text []byte, at int) (items []span, end int) {
	if at >= len(text) || text[at] != '[' {
		return nil, -1
	}
	at = skipSpace(text, at+1)
	if at < len(text) && text[at] == ']' {
		return nil, at + 1
	}
	for {
		end := skipValue(text, at)
		if end < 0 {
			return nil, -1
		}
		items = append(items, span{at, end})
		at = skipSpace(text, end)
		switch {
		case at < len(text) && text[at] == ',':
			at = skipSpace(text, at+1)
		case at < len(text) && text[at] == ']':
			return items, at + 1
		default:
			return nil, -1
		}
	}
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// skipValue returns the end of the value at an offset. It is negative if the value has no end.
func skipValue(text []byte, at int) int {
	depth := 0
	for at < len(text) {
		switch text[at] {
		case '"':
			if at = skipString(text, at); at < 0 {
				return -1
			}
			if depth == 0 {
				return at
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return -1
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',', ':', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return -1
			}
		default:
			if depth == 0 {
				return skipWord(text, at)
			}
		}
		at++
	}
	return -1
}

func skipString(text []byte, at int) int {
	for at++; at < len(text); at++ {
		switch text[at] {
		case '"':
			return at + 1
		case '\\':
			at++
		}
	}
	return -1
}

// skipWord returns the end of a number, true, false or null.
func skipWord(text []byte, at int) int {
	n := bytes.IndexAny(text[at:], ",:{}[]\" \t\r\n")
	if n < 0 {
		return len(text)
	}
	return at + n
}

// DecodeJSON decodes a JSON value. If a key is set twice, the last value counts, and odd has a
// warning about the key.
func DecodeJSON(text []byte) (value any, warnings []string, err error) {
	twice, err := json.UnmarshalStrict(text, &value, json.DisallowDuplicateFields)
	if ok, offset := json.SyntaxErrorOffset(err); ok {
		offset = max(0, min(offset, int64(len(text))))
		return nil, nil, &lineError{bytes.Count(text[:offset], []byte("\n")), err}
	}
	for _, err := range twice {
		warnings = append(warnings, err.Error()+": the last value counts")
	}
	return value, warnings, err
}

// A lineError is an error in a line of a text, counted from zero.
type lineError struct {
	line int
	err  error
}

// Error returns the text of the cause, without the line.
func (e *lineError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *lineError) Unwrap() error { return e.err }

// lineOf returns the line of an error, or zero without one.
func lineOf(err error) int {
	var at *lineError
	if errors.As(err, &at) {
		return at.line
	}
	return 0
}

// notAnObject describes a value that is not an object.
func notAnObject(value any) error {
	switch value := value.(type) {
	case []any:
		return errors.New("want an object, have a list of " + safetext.Count(len(value), "item"))
	case nil:
		return errors.New("want an object, have null")
	case string:
		if isObjectNames(value) {
			return errors.New("want an object, have the name of one; for the output of kubectl -o name: kubectl ... -o name | xargs kstatus wait")
		}
		if applyOutput.MatchString(value) {
			return errors.New("want an object, have the text that kubectl apply prints: add -o yaml to that command")
		}
		if tableHeading.MatchString(value) {
			return errors.New("want an object, have a text; " + tableAdvice)
		}
	}
	return fmt.Errorf("want an object, have a %T", value)
}

// applyOutput matches the text of kubectl apply and kubectl create.
var applyOutput = regexp.MustCompile(`^\S+/\S+ (created|configured|unchanged|serverside-applied|replaced|patched)\b`)

// isObjectNames reports whether a text is a list of TYPE/NAME, as kubectl -o name prints it.
func isObjectNames(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if typ, name, ok := strings.Cut(word, "/"); !ok || typ == "" || name == "" || strings.Contains(name, "/") {
			return false
		}
	}
	return text != ""
}
