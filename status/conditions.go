package status

import (
	"strconv"
	"strings"
	"unicode"

	"kstatus.dev/internal/condition"
	"kstatus.dev/status/internal/value"
)

// Condition returns the condition of that type from status.conditions; the
// zero Condition if there is none.
func (f *Fields) Condition(t string) Condition {
	const path = "status.conditions"
	ev := f.eval
	if ev.hint.ignores("conditions") {
		return Condition{}
	}
	if f.outer != nil || ev.malformedSection {
		return f.ConditionIn(path, t)
	}
	x := ev.index()
	if x.notAList {
		return f.ConditionIn(path, t)
	}
	var worst condition.Condition
	for i, item := range x.list {
		if m, ok := x.item(i, item, t); ok {
			worst = f.worse(worst, f.read(path, t, m))
		}
	}
	return f.found(path, t, worst)
}

// found returns a condition that was looked for, and records that it was read.
func (f *Fields) found(path, t string, worst condition.Condition) (c Condition) {
	if worst.Status != "" {
		c = f.asCondition(worst)
	}
	if f.isTraced() {
		f.recordCondition(path, t, c)
	}
	return c
}

// ConditionIn returns the condition of that type from the list at path.
//
// If two entries have the type, the worse one counts: False, then Unknown, then True. A status
// that is a boolean or has another case is accepted with a warning. Any other text, or none,
// reads as Unknown. Entries that are not conditions are skipped with a warning; if no entry is a
// condition, the field is malformed. The map form {"Ready": {"status": "True"}} is read too.
// Conditions that an earlier Augment wrote are skipped.
func (f *Fields) ConditionIn(path string, t string) Condition {
	var worst condition.Condition
	switch v := f.get(path).(type) {
	case nil:
	case []any:
		worst = f.worstOf(path, t, v)
	case map[string]any:
		if item, ok := v[t].(map[string]any); ok {
			worst = f.read(path, t, item)
		}
		f.mapForm(path, v)
	default:
		f.malformed(path, "a list of conditions", v)
	}
	return f.found(path, t, worst)
}

// worstOf returns the condition of a type in a list.
func (f *Fields) worstOf(path, t string, list []any) (worst condition.Condition) {
	for i, item := range list {
		if m, is := f.entry(path, i, item); is == t && !writtenByAugment(m, t) {
			worst = f.worse(worst, f.read(path, t, m))
		}
	}
	f.checkHasConditions(path, list)
	return worst
}

// entry returns an item of a list of conditions and its type, empty if it is not a condition.
func (f *Fields) entry(path string, i int, item any) (map[string]any, string) {
	t, m := condition.TypeOf(item)
	if t == "" && item != nil {
		f.Warn("%s[%d] is not a condition: %s", f.path(path), i, value.Shape(item))
	}
	return m, t
}

// condition returns the condition of a type that has the fields of m.
func (f *Fields) condition(path string, t string, m map[string]any) Condition {
	return f.asCondition(f.read(path, t, m))
}

// read reads a condition, and warns of odd fields. They do not change the verdict.
func (f *Fields) read(path string, t string, m map[string]any) condition.Condition {
	c := condition.Read(t, m)
	if _, standard := condition.Truth(m["status"]); !standard {
		f.warnOfStatus(path, c)
	}
	c.Reason = f.textOrWarning(path, t, "reason", m["reason"])
	c.Message = f.textOrWarning(path, t, "message", m["message"])
	return c
}

func (f *Fields) asCondition(c condition.Condition) Condition {
	return Condition{
		Type: c.Type, Status: ConditionStatus(c.Status), Reason: c.Reason, Message: c.Message, Since: c.Since,
		Stale: c.Observed > 0 && c.Observed < f.eval.generation && !f.isOwnWrite(c.Observed),
	}
}

// warnOfStatus adds a warning about a status that is not written as the API wants it.
func (f *Fields) warnOfStatus(path string, c condition.Condition) {
	at := f.path(path)
	switch v := c.Raw["status"].(type) {
	case string:
		if strings.EqualFold(v, c.Status) {
			f.Warn("%s[%s].status is %q, not %q", at, c.Type, v, c.Status)
			return
		}
		f.Warn("%s[%s].status is %q, not True, False or Unknown", at, c.Type, v)
	case bool:
		f.Warn("%s[%s].status is a boolean, not a string", at, c.Type)
	default:
		f.Warn("%s[%s].status is missing or not a string", at, c.Type)
	}
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
func (f *Fields) worse(a, b condition.Condition) condition.Condition {
	switch {
	case a.Status == "":
		return b
	case a.Status != b.Status:
		f.Warn("condition %s exists more than once with different statuses; the worst counts", a.Type)
	}
	return condition.Worse(a, b)
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
	if !condition.IsMapForm(m) {
		f.malformed(path, "a list of conditions", m)
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
