package status

import (
	"cmp"
	"strconv"
	"strings"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
)

// hintSignals reads the fields that the hint names.
func hintSignals(o *Fields, s *signals) {
	hint := o.eval.hint
	if hint == nil {
		return
	}
	for _, path := range hint.States {
		o.eachValue(path, func(_ map[string]any, in location, field string, v any) {
			value, _ := v.(string)
			if on, is := v.(bool); is {
				value = strconv.FormatBool(on)
			}
			if value != "" {
				o.stateSignal(s, in, field, value, override)
			}
		})
	}
	for i := range hint.Enums {
		o.eachValue(hint.Enums[i].Path, func(_ map[string]any, in location, field string, v any) {
			o.enumSignal(s, hint.Enums[i].Values, in, field, v)
		})
	}
	for _, path := range hint.Errors {
		o.eachValue(path, func(_ map[string]any, in location, field string, v any) {
			if n, counts := value.Int(v); counts && n != 0 {
				s.add(override, &signal{kind: signalHint, polarity: word.Failing, in: in, name: field, reason: strconv.FormatInt(n, 10)})
			} else if !isZero(v) {
				s.add(override, &signal{kind: signalError, polarity: word.Failing, in: in, name: field, reason: value.ErrorMessage(v)})
			}
		})
	}
	for _, path := range hint.Required {
		o.requiredSignal(s, path)
	}
	for _, path := range hint.Working {
		if v := o.get(path); !isZero(v) {
			in, field := splitPath(path)
			value, _ := value.Text(v)
			s.add(override, &signal{kind: signalHint, polarity: word.Progressing, in: in, name: field, reason: cmp.Or(value, "set, which means in progress")})
		}
	}
	for _, c := range hint.Counts {
		o.eachValue(c.Have, func(item map[string]any, in location, field string, v any) {
			have, _ := value.Int(v)
			want, known := int64(0), v != nil
			sum := func(n any) {
				i, ok := value.Int(n)
				want, known = want+i, known || ok
			}
			if _, each, many := strings.Cut(c.Want, ".*."); many && item != nil {
				sum(decoded.AtPath(item, each))
			} else {
				o.eachValue(c.Want, func(_ map[string]any, _ location, _ string, n any) { sum(n) })
			}
			if known {
				o.counterSignalAs(s, detail, in, field, have, want)
			}
		})
	}
}

// notFilledIn describes a required field that the controller has not set.
const notFilledIn = "not set yet"

// requiredSignal reads a field that the controller has filled in once the object is
// ready. If the path has items, every item must have it, and there must be an item.
func (f *Fields) requiredSignal(s *signals, path string) {
	first, second, two := strings.Cut(path, "|")
	if two && isZero(f.get(first)) {
		in := second[:strings.LastIndexByte(second, '.')]
		if !isZero(f.get(second)) || in != "status" && f.get(in) != nil {
			first = second
		}
	}
	none := true
	read := func(_ map[string]any, in location, field string, v any) {
		none = false
		x := signal{kind: signalHint, polarity: word.Ready, in: in, name: field, reason: "there"}
		if isZero(v) {
			x.polarity, x.reason = word.Progressing, notFilledIn
		}
		s.add(choose(x.polarity == word.Ready, component, override), &x)
	}
	if f.eachValue(first, read); none {
		before, _, _ := strings.Cut(first, ".*.")
		in, field := splitPath(before)
		read(nil, in, field, nil)
	}
}

// eachValue calls visit with the value at a path and its location, or with those of
// every item of the list or map before ".*.".
func (f *Fields) eachValue(path string, visit func(item map[string]any, in location, field string, v any)) {
	before, after, many := strings.Cut(path, ".*.")
	if !many {
		in, field := splitPath(path)
		visit(nil, in, field, f.get(path))
		return
	}
	each := func(name string, v any) {
		if item, ok := v.(map[string]any); ok {
			in, field := location{field: strings.TrimPrefix(before, "status."), key: name}, after
			if i := strings.LastIndexByte(after, '.'); i >= 0 {
				in, field = location{field: strings.TrimSuffix(in.field+"."+name, "."), key: after[:i]}, after[i+1:]
			}
			visit(item, in, field, decoded.AtPath(item, after))
		}
	}
	switch all := f.get(before).(type) {
	case map[string]any:
		f.eachField(all, each)
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

// enumSignal reads a field that holds the state as a number.
func (f *Fields) enumSignal(s *signals, values map[int64]enumValue, in location, field string, v any) {
	n, ok := value.Int(v)
	value, known := values[n]
	if !ok || !known {
		return
	}
	x := signal{kind: signalHint, polarity: value.Means, in: in, name: field, reason: value.Name}
	if f.isTraced() {
		f.recordRead(in.path(".", field, ""), n)
	}
	s.add(choose(x.polarity == word.Ready, detail, choose(x.polarity == word.Suspended, summary, override)), &x)
}

// splitPath returns the location and the name of the field at a path of the status.
func splitPath(path string) (in location, field string) {
	path = strings.TrimPrefix(path, "status.")
	i := strings.LastIndexByte(path, '.')
	return location{field: path[:max(i, 0)]}, path[i+1:]
}
