package conditions

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/internal/text"
)

// PrintOptions are the options of [Set.Line] and [Set.Table].
type PrintOptions struct {
	// Generation is the generation of the object. Conditions of an earlier generation
	// are marked. Zero marks none.
	Generation int64
	// Now is the time for ages. Zero prints no ages.
	Now time.Time
	// Color prints conditions in terminal colors, by their meaning.
	Color bool
}

// Line returns conditions as one line of text, in the order of the set, such as:
//
//	Ready=False(DiskFull)! Degraded=True(DiskFull)! Paused=False
//
// A bad condition ends with an exclamation mark, and an Unknown one with a question mark. A
// condition of an earlier generation ends with a <.
func (s *Set) Line(list []metav1.Condition, how PrintOptions) string {
	var words []string
	for _, r := range s.rows(list) {
		word := r.Type + "=" + string(r.Status)
		if r.Reason != "" && r.health() != healthy {
			word += "(" + r.Reason + ")"
		}
		words = append(words, r.color(visible(word)+map[health]string{unhealthy: "!", uncertain: "?"}[r.health()], how)+r.staleMark(how, "<"))
	}
	return strings.Join(words, " ")
}

// Table returns one line per condition, with the parts of a summary below it. A
// line has the type, status, reason and age, and the message of a condition that is
// not good.
func (s *Set) Table(list []metav1.Condition, how PrintOptions) string {
	rows := s.rows(list)
	var wide, status, reason int
	for _, r := range rows {
		wide = max(wide, len([]rune(r.branch+visible(r.Type))))
		status = max(status, len([]rune(visible(string(r.Status)))))
		reason = max(reason, len([]rune(visible(r.Reason))))
	}
	var b strings.Builder
	for _, r := range rows {
		line := pad(r.branch+visible(r.Type), wide) + "  " + r.color(pad(visible(string(r.Status)), status), how) +
			"  " + pad(visible(r.Reason), reason) + "  " + pad(r.age(how), 4)
		if r.health() != healthy && r.Message != "" {
			line += "  " + visible(r.Message)
		}
		line += r.staleMark(how, fmt.Sprintf("  (of generation %d, the object is at %d)", r.ObservedGeneration, how.Generation))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// row is a condition with its position in the table.
type row struct {
	Part
	branch string
}

// rows returns the conditions in the order of the set, each summary followed by
// its parts, then conditions of other writers.
func (s *Set) rows(list []metav1.Condition) (rows []row) {
	entries, _ := withoutDuplicates(entriesOf(list))
	shown := map[string]bool{}
	show := func(d Declaration, branch string) {
		c, ok := find(entries, d.Type)
		if ok && !shown[d.Type] {
			shown[d.Type] = true
			rows = append(rows, row{Part{Condition: c, Polarity: d.Polarity}, branch})
		}
	}
	for _, d := range s.declared {
		if len(d.Parts) == 0 {
			continue
		}
		show(d, "")
		first := len(rows)
		for _, name := range d.Parts {
			part, _ := s.Lookup(name)
			show(part, "├─ ")
		}
		if len(rows) > first {
			rows[len(rows)-1].branch = "└─ "
		}
	}
	for _, d := range s.declared {
		show(d, "")
	}
	for _, e := range entries {
		if _, known := s.Lookup(e.Type); !known {
			rows = append(rows, row{Part{Condition: e.Condition, Polarity: PolarityNeutral}, ""})
		}
	}
	return rows
}

func (r row) color(text string, how PrintOptions) string {
	if !how.Color || r.Polarity == PolarityNeutral {
		return text
	}
	return map[health]string{healthy: "\x1b[32m", uncertain: "\x1b[33m", unhealthy: "\x1b[31m"}[r.health()] + text + "\x1b[0m"
}

func (r row) staleMark(how PrintOptions, mark string) string {
	if r.ObservedGeneration == 0 || r.ObservedGeneration >= how.Generation {
		return ""
	}
	return mark
}

func (r row) age(how PrintOptions) string {
	if how.Now.IsZero() || r.LastTransitionTime.IsZero() {
		return ""
	}
	switch d := max(how.Now.Sub(r.LastTransitionTime.Time), 0); {
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	}
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-len([]rune(text)), 0))
}

// visible converts text from a cluster to one line for a terminal: unsafe
// characters become spaces.
func visible(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || text.Unsafe(r)
	}), " ")
}
