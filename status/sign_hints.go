package status

import (
	"cmp"
	"strconv"
	"strings"

	"kstatus.dev/status/internal/word"
)

// hintSigns reads the fields that the hint names.
func hintSigns(o *Fields, s *signs) {
	hint := o.hearing.hint
	if hint == nil {
		return
	}
	for _, path := range hint.States {
		o.every(path, func(_ map[string]any, in place, field string, v any) {
			value, _ := v.(string)
			if on, is := v.(bool); is {
				value = strconv.FormatBool(on)
			}
			if value != "" {
				o.stateSign(s, in, field, value, alarm)
			}
		})
	}
	for i := range hint.Enums {
		o.every(hint.Enums[i].Path, func(_ map[string]any, in place, field string, v any) {
			o.enumSign(s, hint.Enums[i].Values, in, field, v)
		})
	}
	for _, path := range hint.Errors {
		o.every(path, func(_ map[string]any, in place, field string, v any) {
			if n, counts := whole(v); counts && n != 0 {
				s.add(alarm, &sign{from: fromHint, says: word.Failing, in: in, at: field, reason: strconv.FormatInt(n, 10)})
			} else if !hollow(v) {
				s.add(alarm, &sign{from: fromError, says: word.Failing, in: in, at: field, reason: told(v)})
			}
		})
	}
	for _, path := range hint.Required {
		o.requiredSign(s, path)
	}
	for _, path := range hint.Working {
		if v := o.get(path); !hollow(v) {
			in, field := split(path)
			value, _ := text(v)
			s.add(alarm, &sign{from: fromHint, says: word.Progressing, in: in, at: field, reason: cmp.Or(value, "there, as it is while something goes on")})
		}
	}
	for _, c := range hint.Counts {
		o.every(c.Have, func(item map[string]any, in place, field string, v any) {
			have, _ := whole(v)
			want, known := int64(0), v != nil
			sum := func(n any) {
				i, ok := whole(n)
				want, known = want+i, known || ok
			}
			if _, each, many := strings.Cut(c.Want, ".*."); many && item != nil {
				sum(dig(item, each))
			} else {
				o.every(c.Want, func(_ map[string]any, _ place, _ string, n any) { sum(n) })
			}
			if known {
				o.reachAs(s, detail, in, field, have, want)
			}
		})
	}
}

// absent is what a sign says of a field that its controller has yet to fill in.
const absent = "not there yet"

// requiredSign looks for a field that its controller has filled in once the
// object is there: of every item, and of one at least.
func (f *Fields) requiredSign(s *signs, path string) {
	first, second, two := strings.Cut(path, "|")
	if two && hollow(f.get(first)) {
		in := second[:strings.LastIndexByte(second, '.')]
		if !hollow(f.get(second)) || in != "status" && f.get(in) != nil {
			first = second
		}
	}
	none := true
	look := func(_ map[string]any, in place, field string, v any) {
		none = false
		x := sign{from: fromHint, says: word.Ready, in: in, at: field, reason: "there"}
		if hollow(v) {
			x.says, x.reason = word.Progressing, absent
		}
		s.add(pick(x.says == word.Ready, part, alarm), &x)
	}
	if f.every(first, look); none {
		before, _, _ := strings.Cut(first, ".*.")
		in, field := split(before)
		look(nil, in, field, nil)
	}
}

// every calls visit with the value at a path and where that stands, or with
// those of every item of the list or map that stands before ".*.".
func (f *Fields) every(path string, visit func(item map[string]any, in place, field string, v any)) {
	before, after, many := strings.Cut(path, ".*.")
	if !many {
		in, field := split(path)
		visit(nil, in, field, f.get(path))
		return
	}
	each := func(name string, v any) {
		if item, ok := v.(map[string]any); ok {
			in, field := place{part: strings.TrimPrefix(before, "status."), key: name}, after
			if i := strings.LastIndexByte(after, '.'); i >= 0 {
				in, field = place{part: strings.TrimSuffix(in.part+"."+name, "."), key: after[:i]}, after[i+1:]
			}
			visit(item, in, field, dig(item, after))
		}
	}
	switch all := f.get(before).(type) {
	case map[string]any:
		for name, v := range all {
			each(name, v)
		}
	case []any:
		for _, v := range all {
			item, _ := v.(map[string]any)
			name, ok := item["name"].(string)
			if !ok {
				name, _ = item["id"].(string)
			}
			each(name, v)
		}
	}
}

// dig returns the value at a path of a map.
func dig(m map[string]any, path string) any {
	for {
		name, rest, more := strings.Cut(path, ".")
		if !more {
			return m[name]
		}
		m, _ = m[name].(map[string]any)
		path = rest
	}
}

// enumSign reads a field that holds the state as a number.
func (f *Fields) enumSign(s *signs, values map[int64]named, in place, field string, v any) {
	n, ok := whole(v)
	value, known := values[n]
	if !ok || !known {
		return
	}
	x := sign{from: fromHint, says: value.Means, in: in, at: field, reason: value.Name}
	if f.traced() {
		f.saw(in.path(".", field, ""), n)
	}
	s.add(pick(x.says == word.Ready, detail, pick(x.says == word.Suspended, summing, alarm)), &x)
}

// told returns what a value says of an error to people: a text, or the message
// of the first in a list; empty for anything else.
func told(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 {
			return told(v[0])
		}
	case map[string]any:
		for _, field := range [...]string{"message", "errorMessage", "description"} {
			if text, _ := v[field].(string); text != "" {
				return text
			}
		}
	}
	return ""
}

// split takes the path of a field of the status apart.
func split(path string) (in place, field string) {
	path = strings.TrimPrefix(path, "status.")
	i := strings.LastIndexByte(path, '.')
	return place{part: path[:max(i, 0)]}, path[i+1:]
}
