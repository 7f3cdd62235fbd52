package status

import "kstatus.dev/status/internal/word"

// A conditionIndex holds the types of the items of status.conditions, since most rules look up
// several conditions.
type conditionIndex struct {
	list     []any
	types    [8]string // of the first items; empty for items that are no condition or that Augment wrote
	read     bool      // the list has been read
	notAList bool      // the conditions are not a list
	standard bool      // the list has one of the standard conditions
}

// index returns the index of status.conditions. The first call creates it.
func (ev *evaluation) index() *conditionIndex {
	if !ev.conditions.read {
		ev.conditions.open(&ev.object, "status.conditions")
	}
	return &ev.conditions
}

// open reads the list and records a warning for each item that is not a condition.
func (x *conditionIndex) open(f *Fields, path string) {
	v := f.eval.status["conditions"]
	list, ok := v.([]any)
	x.list, x.read, x.notAList = list, true, !ok && v != nil
	known := 0
	if f.eval.entry.Rule == nil && steps(list) {
		f.Warn("%s holds items that are not conditions", path)
		x.list = nil
	}
	for i, item := range x.list {
		m, t := f.entry(path, i, item)
		if t != "" {
			known++
			x.standard = x.standard || t == ConditionReconciling || t == ConditionStalled
		}
		if i < len(x.types) && !writtenByAugment(m, t) {
			x.types[i] = t
		}
	}
	if known == 0 {
		f.checkHasConditions(path, x.list)
	}
}

// steps reports whether no map in a list has a type or a status. Such a list holds the phases of
// an object, for example.
func steps(list []any) bool {
	for _, item := range list {
		m, ok := item.(map[string]any)
		if !ok || m["type"] != nil {
			return false
		}
		for _, v := range m {
			value, _ := v.(string)
			if _, truth := v.(bool); truth || word.Is(value, "true", "false", "unknown") {
				return false
			}
		}
	}
	return len(list) > 0
}

// item returns an item of the list if it is a condition of that type.
func (x *conditionIndex) item(i int, item any, t string) (map[string]any, bool) {
	if i < len(x.types) && x.types[i] != t {
		return nil, false
	}
	m, ok := item.(map[string]any)
	return m, ok && x.typeOf(i, m) == t
}

// typeOf returns the type of an item, empty for one that Augment wrote.
func (x *conditionIndex) typeOf(i int, m map[string]any) string {
	if x.read && i < len(x.types) {
		return x.types[i]
	}
	t, _ := m["type"].(string)
	if writtenByAugment(m, t) {
		return ""
	}
	return t
}
