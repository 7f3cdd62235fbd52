package status

import (
	"slices"
	"strings"

	"kstatus.dev/status/internal/word"
)

// weigh adds what a condition with that role says. That a condition is as it
// should be is never more than a detail, unless it sums the object up.
func (f *Fields) weigh(s *signs, x *sign, role word.Role, weighs weight) {
	switch {
	case x.stale:
		if role != word.RoleNeutral && (role != word.RoleNegative || x.troubles() == word.Progressing || x.ofPart(weighs) && x.troubles() == word.Failing) {
			x.says = word.Progressing
			s.add(pick(role == word.RoleProgress || role == word.RoleNegative, x.raised(weighs), weighs), x)
		}
	case role == word.RoleNeutral:
		if x.truth == True && f.hearing.hint.role(ConditionType(x.at)) != word.RoleNeutral && !word.HasAnySuffix(x.at, []string{"pgradeable", "pgradable"}) {
			f.Warn("condition %s is True", x.at)
		}
	case role == word.RolePositive:
		f.weighGood(s, x, weighs)
	case role == word.RoleNegative:
		if x.says = x.troubles(); x.says != word.None {
			s.add(pick(x.says == word.Ready, max(weighs, detail), x.raised(weighs)), x)
		}
	case role == word.RoleProgress:
		f.weighBusy(s, x, weighs)
	case role == word.RoleSuspension:
		f.weighIdle(s, x, weighs)
	default:
		f.weighGuess(s, x, role, weighs)
	}
}

// weighGood adds what a condition says that is True when all is well.
func (f *Fields) weighGood(s *signs, x *sign, weighs weight) {
	x.says = x.lacks()
	lacks := x.says == word.Progressing && x.truth == False
	switch hint := f.hearing.hint; {
	case lacks && weighs == detail && unwanted(x.reason):
		weighs = part
	case x.says == word.Failing && hint.patient(x.at):
		x.says = word.Progressing
	case lacks && hint.fine(x.reason):
		x.says = word.Ready
	case lacks && hint.strict(x.at):
		x.says = word.Failing
	case lacks && x.from == fromSummary && slices.Contains(stopReasons, x.reason):
		x.says, weighs = word.Suspended, summing
	}
	switch {
	case x.says == word.None:
		return
	case x.says == word.Ready && weighs != summing:
		weighs = max(weighs, detail)
	}
	s.add(weighs, x)
}

// weighBusy adds what a condition says that is True while something goes on.
func (f *Fields) weighBusy(s *signs, x *sign, weighs weight) {
	x.says = x.works()
	switch {
	case x.says == word.Suspended && !x.ofPart(weighs):
		weighs = summing
	case weighs == part && x.says == word.Ready:
		return
	case weighs == part && x.says == word.Progressing, x.ofPart(weighs):
	case x.says == word.Ready, x.truth == Unknown:
		weighs = detail
	default:
		weighs = x.raised(weighs)
	}
	s.add(weighs, x)
}

// weighIdle adds what a condition says that is True while the object is stopped.
func (f *Fields) weighIdle(s *signs, x *sign, weighs weight) {
	switch {
	case x.truth == True && word.Why(x.reason, x.message) == word.CauseError: // an error has stopped it
		x.says = word.Failing
		s.add(x.raised(weighs), x)
	case x.truth == True:
		x.says = word.Suspended
		s.add(pick(x.ofPart(weighs), part, summing), x)
	case x.ofPart(weighs):
	case f.hearing.hint.role(ConditionType(x.at)) == word.RoleSuspension && word.State(x.reason) == word.Progressing: // it is about to be
		x.says = word.Progressing
		s.add(alarm, x)
	}
}

// weighGuess adds what a condition most likely says whose name no vocabulary has.
func (f *Fields) weighGuess(s *signs, x *sign, role word.Role, weighs weight) {
	x.optional = role != word.RoleLikely
	x.says = x.lacks()
	switch {
	case x.says == word.Ready && x.optional:
		weighs = part
	case x.says == word.Progressing && word.EndsInGerund(x.at):
		return
	case x.says == word.Progressing && word.Why(x.reason, x.message) == word.CauseUnspecified:
		weighs = part
	}
	s.add(weighs, x)
}

// unwanted reports whether a reason says that a side of the object is not there
// because nobody asks for it.
func unwanted(reason string) bool {
	return word.HasAnySuffix(reason, []string{"Disabled", "NotApplicable", "NotEnabled", "NotNeeded", "NotRequested", "NotRequired"})
}

// raised returns what trouble or work weighs where anything else weighs w: that of
// a part is never that of the object.
func (x *sign) raised(w weight) weight {
	if x.ofPart(w) {
		return part
	}
	return min(w, alarm)
}

// ofPart reports whether the sign speaks of nothing but a part.
func (x *sign) ofPart(w weight) bool { return x.from == fromPart && w == part }

func pick(first bool, a, b weight) weight {
	if first {
		return a
	}
	return b
}

// lacks says what a condition means that is True when all is well. Where it
// carries a severity, as those of Cluster API and of Azure Service Operator do,
// that counts before its words: Info is said of work, Error of what needs a
// person.
func (x *sign) lacks() word.Polarity {
	switch {
	case x.truth == True && over(x.at) && word.Reason(x.reason) == word.Failing: // it has come to its end, but not to a good one
		return word.Failing
	case x.truth == True:
		return word.Ready
	case x.truth == Unknown:
		return word.Progressing
	case x.over():
		return word.None
	case x.severity == "Error":
		return word.Failing
	case x.severity == "Info":
		return word.Progressing
	}
	switch word.Why(x.reason, x.message) {
	case word.CauseError:
		return word.Failing
	case word.CauseUnspecified:
		if slices.Contains(verdictsOfOthers, x.at) {
			return word.Failing
		}
	}
	return word.Progressing
}

// The conditions by which somebody else says what he thinks of the object: until
// he has looked they are Unknown or not there, so that False is a refusal.
var verdictsOfOthers = []string{"Accepted", "Admitted", "Valid", "Validated"}

// over reports whether the condition tells of something that goes on for a
// while, such as Running, and that it has come to its end.
func (x *sign) over() bool {
	return (x.at == "Running" || x.at == "Active") && word.State(x.reason) == word.Ready
}

// troubles says what a condition means that is True when something is wrong.
// Some controllers have one, such as NotReady, that is also True while they
// work; its reason tells.
func (x *sign) troubles() word.Polarity {
	switch {
	case x.truth == False:
		return word.Ready
	case x.truth == Unknown:
		return word.None
	}
	switch word.Why(x.reason, x.message) {
	case word.CauseWaiting:
		return word.Progressing
	case word.CauseUnspecified:
		if strings.HasPrefix(x.at, "Not") { // and no more than that is said
			return word.Progressing
		}
	}
	return word.Failing
}

// The ends of the reasons by which a condition that tells of work says that the
// work is done.
var endedReasons = []string{"Available", "Complete", "Completed", "Succeeded", "Success", "Successful", "Finished", "Done", "UpToDate"}

// The reasons by which a condition that sums an object up says that the object is
// stopped, and means to be. What else is suspended, such as an account, is not meant.
var stopReasons = []string{
	"Paused", "Suspended", "Hibernated", "ReconcilePaused", "ReconciliationPaused", "ReconcileSuspended", "ReconciliationSuspended",
}

// works says what a condition means that is True while something goes on.
// Where that has come to its end the reason tells, as NewReplicaSetAvailable.
func (x *sign) works() word.Polarity {
	said := word.State(x.reason)
	switch {
	case x.truth == True && word.HasAnySuffix(x.reason, endedReasons):
		return word.Ready
	case x.truth == True:
		return word.Progressing
	case said == word.Suspended:
		return word.Suspended
	case x.truth == Unknown:
		return word.Progressing
	case said == word.Failing:
		return word.Failing
	}
	return word.Ready
}
