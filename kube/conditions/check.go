package conditions

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kstatus.dev/internal/text"
	"kstatus.dev/kube/conditions/wellknown"
)

// The limits of metav1.Condition.
const (
	maxType    = 316
	maxReason  = 1024
	maxMessage = 32768
)

// cutMark ends a message that was too long.
const cutMark = " … (cut)"

var (
	typePattern   = regexp.MustCompile(`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`)
	reasonPattern = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`)
)

// typeProblem says what is wrong with the name of a type, or nothing.
func typeProblem(typ string) string {
	switch {
	case typ == "":
		return "is empty"
	case len(typ) > maxType:
		return fmt.Sprintf("has %d characters, %d at most", len(typ), maxType)
	case !typePattern.MatchString(typ):
		return "is not a qualified name such as ServerUp or example.com/ServerUp"
	}
	return ""
}

// reasonProblem says what is wrong with a reason, or nothing.
func reasonProblem(reason string) string {
	switch {
	case reason == "":
		return "is empty"
	case len(reason) > maxReason:
		return fmt.Sprintf("has %d characters, %d at most", len(reason), maxReason)
	case !reasonPattern.MatchString(reason):
		return "is not a word such as WaitingForServer"
	}
	return ""
}

// reasonProblem says why the author may not give a reason, or nothing.
func (d Declaration) reasonProblem(reason string) string {
	if problem := reasonProblem(reason); problem != "" {
		return "the reason " + problem
	}
	if len(d.Reasons) == 0 || slices.Contains(d.Reasons, reason) || isBuiltinReason(reason) {
		return ""
	}
	return "the reason is not declared; those are: " + strings.Join(d.Reasons, ", ")
}

func isBuiltinReason(reason string) bool {
	switch reason {
	case wellknown.ReasonNotYetReconciled, wellknown.ReasonNewGeneration, wellknown.ReasonReconcileFailed, wellknown.ReasonInvalidStatement, wellknown.ReasonNotPaused, wellknown.ReasonAsExpected, wellknown.ReasonDeleting,
		wellknown.ReasonStaleReport, wellknown.ReasonNotYetReported, wellknown.ReasonInvalidReport, wellknown.ReasonNoReasonReported, wellknown.ReasonNoObjects:
		return true
	}
	return false
}

// storable is a message as it may be stored: valid UTF-8, and cut at a rune to
// at most limit bytes, with a mark that says so.
func storable(message string, limit int) string {
	return text.CutWith(strings.ToValidUTF8(message, "\uFFFD"), limit, cutMark)
}
