package conditions

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kstatus.dev/author/conditions/wellknown"
	"kstatus.dev/internal/text"
)

// These are the limits of metav1.Condition.
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

// typeProblem describes what is wrong with a type. It is empty for a valid
// type.
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

// reasonProblem describes what is wrong with a reason. It is empty for a valid
// reason.
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

// reasonProblem describes why the controller may not use a reason. It is empty
// for an allowed reason.
func (d Declaration) reasonProblem(reason string) string {
	if problem := reasonProblem(reason); problem != "" {
		return "the reason " + problem
	}
	if len(d.Reasons) == 0 || slices.Contains(d.Reasons, reason) || isBuiltinReason(reason) {
		return ""
	}
	return "the reason is not declared; the declared reasons are " + strings.Join(d.Reasons, ", ")
}

func isBuiltinReason(reason string) bool {
	switch reason {
	case wellknown.ReasonNotYetReconciled, wellknown.ReasonNewGeneration, wellknown.ReasonReconcileFailed, wellknown.ReasonInvalidStatement, wellknown.ReasonNotPaused, wellknown.ReasonAsExpected, wellknown.ReasonDeleting,
		wellknown.ReasonStaleReport, wellknown.ReasonNotYetReported, wellknown.ReasonInvalidReport, wellknown.ReasonNoReasonReported, wellknown.ReasonNoObjects:
		return true
	}
	return false
}

// storable returns a message that can be stored: valid UTF-8, and cut to at
// most limit bytes. A mark shows the cut.
func storable(message string, limit int) string {
	return text.CutWith(strings.ToValidUTF8(message, "\uFFFD"), limit, cutMark)
}
