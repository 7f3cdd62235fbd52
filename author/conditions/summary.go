package conditions

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/author/conditions/wellknown"
)

// A Part is a condition from which a summary is computed. A Part without a status does
// not exist.
type Part struct {
	metav1.Condition
	Polarity Polarity
	// Optional means that the part does not affect the summary if it does not exist.
	Optional bool
}

// health is the effect of a part on its summary.
type health int

const (
	healthy health = iota
	uncertain
	unhealthy
)

// statuses lists the statuses in the order of [Declaration.WithReasons].
var statuses = []metav1.ConditionStatus{metav1.ConditionTrue, metav1.ConditionFalse, metav1.ConditionUnknown}

// Summarize computes one condition from several. It is False if any part is
// bad; otherwise Unknown if any part is Unknown or missing; otherwise True. Its
// reason comes from the first part that decides. Its message names all parts
// that are not good, bad ones first. It has no time and no generation.
func Summarize(typ string, parts ...Part) metav1.Condition {
	by := map[health][]Part{}
	for _, part := range parts {
		s := part.health()
		by[s] = append(by[s], part)
	}
	c := metav1.Condition{Type: typ, Status: metav1.ConditionTrue, Reason: wellknown.ReasonAsExpected}
	switch {
	case len(by[unhealthy]) > 0:
		c.Status, c.Reason = metav1.ConditionFalse, by[unhealthy][0].reason()
	case len(by[uncertain]) > 0:
		c.Status, c.Reason = metav1.ConditionUnknown, by[uncertain][0].reason()
	case len(parts) == 1:
		c.Reason = parts[0].reason()
	}
	c.Message = list(append(by[unhealthy], by[uncertain]...))
	return c
}

func (p Part) health() health {
	bad := p.Polarity == PolarityNegative || p.Polarity == PolarityPresentOnlyWhenTrue
	switch {
	case p.Polarity == PolarityNeutral:
		return healthy
	case p.Status == "" && (p.Optional || p.Polarity == PolarityPresentOnlyWhenTrue):
		return healthy
	case p.Status == metav1.ConditionTrue && !bad, p.Status == metav1.ConditionFalse && bad:
		return healthy
	case p.Status == metav1.ConditionTrue, p.Status == metav1.ConditionFalse:
		return unhealthy
	}
	return uncertain
}

// reason returns the part's own reason if it is valid, or else a reason that
// reports the problem.
func (p Part) reason() string {
	switch {
	case p.Status == "":
		return wellknown.ReasonNotYetReconciled
	case reasonProblem(p.Reason) != "":
		return wellknown.ReasonNoReasonReported
	}
	return p.Reason
}

// list describes parts: a single part in one line, several in a line each.
func list(parts []Part) string {
	if len(parts) == 0 {
		return ""
	}
	limit := maxMessage/len(parts) - maxType - len("* : \n")
	lines := make([]string, 0, len(parts))
	for _, p := range parts {
		text := strings.TrimSpace(p.Message)
		if text == "" {
			text = p.reason()
		}
		lines = append(lines, p.Type+": "+indent(storable(text, max(limit, len(cutMark)))))
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return "* " + strings.Join(lines, "\n* ")
}

// indent indents all lines of a text except the first.
func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n  ") }
