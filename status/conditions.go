package status

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"kstatus.dev/status/internal/value"
)

// Condition returns the condition of that type from status.conditions; the
// zero Condition if there is none.
func (f *Fields) Condition(t string) (worst Condition) {
	const path = "status.conditions"
	ev := f.eval
	if ev.hint.ignores("conditions") {
		return worst
	}
	if f.outer != nil || ev.malformedSection {
		return f.ConditionIn(path, t)
	}
	x := ev.index()
	if x.notAList {
		return f.ConditionIn(path, t)
	}
	for i, item := range x.list {
		m, ok := x.item(i, item, t)
		switch {
		case !ok:
		case worst.Status == "":
			f.readCondition(&worst, path, t, m)
		default:
			worst = f.worse(worst, f.condition(path, t, m))
		}
	}
	if f.isTraced() {
		f.recordCondition(path, t, worst)
	}
	return worst
}

// ConditionIn returns the condition of that type from the list at path.
//
// If two entries have the type, the worse one counts: False, then Unknown, then True. A status
// that is a boolean or has another case is accepted with a warning. Any other text, or none,
// reads as Unknown. Entries that are not conditions are skipped with a warning; if no entry is a
// condition, the field is malformed. The map form {"Ready": {"status": "True"}} is read too.
// Conditions that an earlier Augment wrote are skipped.
func (f *Fields) ConditionIn(path string, t string) (worst Condition) {
	switch v := f.get(path).(type) {
	case nil:
	case []any:
		for i, item := range v {
			if m, is := f.entry(path, i, item); is == t && !writtenByAugment(m, t) {
				worst = f.worse(worst, f.condition(path, t, m))
			}
		}
		f.checkHasConditions(path, v)
	case map[string]any:
		if item, ok := v[string(t)].(map[string]any); ok {
			worst = f.condition(path, t, item)
		}
		f.mapForm(path, v)
	default:
		f.malformed(path, "a list of conditions", v)
	}
	if f.isTraced() {
		f.recordCondition(path, t, worst)
	}
	return worst
}

// entry returns one item of a list of conditions and its type, which is empty
// if the item is not a condition.
func (f *Fields) entry(path string, i int, item any) (map[string]any, string) {
	m, _ := item.(map[string]any)
	t, _ := m["type"].(string)
	if t == "" && item != nil {
		f.Warn("%s[%d] is not a condition: %s", f.path(path), i, value.Shape(item))
	}
	return m, t
}

func (f *Fields) condition(path string, t string, m map[string]any) (c Condition) {
	f.readCondition(&c, path, t, m)
	return c
}

func (f *Fields) readCondition(c *Condition, path string, t string, m map[string]any) {
	c.Type, c.Status = t, f.truth(path, t, m["status"])
	c.Reason = f.textOrWarning(path, t, "reason", m["reason"])
	c.Message = f.textOrWarning(path, t, "message", m["message"])
	c.Since, _ = value.Text(m["lastTransitionTime"])
	seen, ok := value.Generation(m["observedGeneration"])
	c.Stale = ok && seen > 0 && seen < f.eval.generation && !f.isOwnWrite(seen)
}

// truth reads the status of a condition.
func (f *Fields) truth(path string, t string, v any) ConditionStatus {
	switch v := v.(type) {
	case string:
		switch v {
		case "True", "False", "Unknown":
			return ConditionStatus(v)
		}
		for _, known := range [...]ConditionStatus{conditionTrue, conditionFalse, conditionUnknown} {
			if strings.EqualFold(v, string(known)) {
				f.Warn("%s[%s].status is %q, not %q", f.path(path), t, v, known)
				return known
			}
		}
		f.Warn("%s[%s].status is %q, not True, False or Unknown", f.path(path), t, v)
	case bool:
		f.Warn("%s[%s].status is a boolean, not a string", f.path(path), t)
		if v {
			return conditionTrue
		}
		return conditionFalse
	default:
		f.Warn("%s[%s].status is missing or not a string", f.path(path), t)
	}
	return conditionUnknown
}

// textOrWarning reads a text that does not decide by itself: if it is malformed, it adds a warning
// and the verdict stays.
func (f *Fields) textOrWarning(path string, t string, name string, v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return oneLine(v)
	}
	s, ok := value.Text(v)
	if !ok {
		f.Warn("%s[%s].%s is not a string: %s", f.path(path), t, name, value.Shape(v))
		return value.Shape(v)
	}
	return oneLine(s)
}

// oneLine folds a text of several lines, or a list with an asterisk before each
// item, as some controllers write them, into one line.
func oneLine(text string) string {
	text = strings.TrimPrefix(text, "* ")
	if isPrintableASCII(text) || !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	text = strings.ReplaceAll(text, "\n* ", "; ")
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == ' ' }), " ")
}

// isPrintableASCII reports whether a text has printable ASCII characters only.
func isPrintableASCII(text string) bool {
	const each, high = 0x0101010101010101, 0x8080808080808080 // one byte value, repeated in all eight bytes
	for ; len(text) >= 8; text = text[8:] {
		eight := uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
			uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
		if (eight|(eight-each*' ')|(eight+each))&high != 0 {
			return false
		}
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// worse returns the condition that counts where two entries have one type.
func (f *Fields) worse(a, b Condition) Condition {
	if a.Status == "" {
		return b
	}
	if a.Status != b.Status {
		f.Warn("condition %s exists more than once with different statuses; the worst counts", a.Type)
	}
	rank := func(c Condition) string {
		fresh := "1"
		if c.Stale {
			fresh = "0"
		}
		return strconv.Itoa(slices.Index([]ConditionStatus{conditionFalse, conditionUnknown, conditionTrue}, c.Status)) + fresh + c.Reason + "\x00" + c.Message + "\x00" + c.Since
	}
	if rank(b) < rank(a) {
		return b
	}
	return a
}

// checkHasConditions reports a malformed list if it holds items, but not one condition.
func (f *Fields) checkHasConditions(path string, list []any) {
	bad := false
	for _, item := range list {
		m, ok := item.(map[string]any)
		if ok && m["type"] != nil {
			return
		}
		bad = bad || item != nil
	}
	if bad {
		f.malformed(path, "a list of conditions", list)
	}
}

// mapForm reports a map that is not conditions by type.
func (f *Fields) mapForm(path string, m map[string]any) {
	for _, v := range m {
		c, ok := v.(map[string]any)
		if !ok || c["status"] == nil {
			f.malformed(path, "a list of conditions", m)
			return
		}
	}
}

// itemName returns the name of a condition in a path: its type, or its index if the type has
// characters that a path cannot have.
func (f *Fields) itemName(path, t string) string {
	if isPrintableASCII(t) && !strings.ContainsAny(t, " []") {
		return t
	}
	for i, item := range value.List(f.get(path)) {
		if m, ok := item.(map[string]any); ok && m["type"] == t {
			return strconv.Itoa(i)
		}
	}
	return t
}

func (f *Fields) recordCondition(path string, t string, c Condition) {
	at := path + "[" + f.itemName(path, t) + "]"
	if c.Status == "" {
		f.recordRead(at, nil)
		return
	}
	f.recordRead(at+".status", string(c.Status))
	if c.Reason != "" {
		f.recordRead(at+".reason", c.Reason)
	}
	if c.Message != "" {
		f.recordRead(at+".message", c.Message)
	}
	if c.Stale {
		f.recordRead(at+".observedGeneration", "older than metadata.generation")
	}
}
