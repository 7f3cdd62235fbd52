package status

import (
	"slices"
	"strings"
)

// weigh adds what a condition with that role says. That a condition is as it
// should be is never more than a detail, unless it sums the object up.
func (f *Fields) weigh(s *signs, x *sign, role meaning, weighs weight) {
	switch {
	case x.stale:
		if role != neutral && (role != bad || x.troubles() == busy || x.ofPart(weighs) && x.troubles() == bad) {
			x.says = busy
			s.add(pick(role == busy || role == bad, x.raised(weighs), weighs), x)
		}
	case role == neutral:
		if x.truth == True && f.hearing.hint.role(ConditionType(x.at)) != neutral && !endsAny(x.at, []string{"pgradeable", "pgradable"}) {
			f.Warn("condition %s is True", x.at)
		}
	case role == good:
		f.weighGood(s, x, weighs)
	case role == bad:
		if x.says = x.troubles(); x.says != noMeaning {
			s.add(pick(x.says == good, max(weighs, detail), x.raised(weighs)), x)
		}
	case role == busy:
		f.weighBusy(s, x, weighs)
	case role == idle:
		f.weighIdle(s, x, weighs)
	default:
		f.weighGuess(s, x, role, weighs)
	}
}

// weighGood adds what a condition says that is True when all is well.
func (f *Fields) weighGood(s *signs, x *sign, weighs weight) {
	x.says = x.lacks()
	lacks := x.says == busy && x.truth == False
	switch hint := f.hearing.hint; {
	case lacks && weighs == detail && unwanted(x.reason):
		weighs = part
	case x.says == bad && hint.patient(x.at):
		x.says = busy
	case lacks && hint.fine(x.reason):
		x.says = good
	case lacks && hint.strict(x.at):
		x.says = bad
	case lacks && x.from == fromSummary && slices.Contains(stopReasons, x.reason):
		x.says, weighs = idle, summing
	}
	switch {
	case x.says == noMeaning:
		return
	case x.says == good && weighs != summing:
		weighs = max(weighs, detail)
	}
	s.add(weighs, x)
}

// weighBusy adds what a condition says that is True while something goes on.
func (f *Fields) weighBusy(s *signs, x *sign, weighs weight) {
	x.says = x.works()
	switch {
	case x.says == idle && !x.ofPart(weighs):
		weighs = summing
	case weighs == part && x.says == good:
		return
	case weighs == part && x.says == busy, x.ofPart(weighs):
	case x.says == good, x.truth == Unknown:
		weighs = detail
	default:
		weighs = x.raised(weighs)
	}
	s.add(weighs, x)
}

// weighIdle adds what a condition says that is True while the object is stopped.
func (f *Fields) weighIdle(s *signs, x *sign, weighs weight) {
	switch {
	case x.truth == True && plightOf(x.reason, x.message) == failing: // an error has stopped it
		x.says = bad
		s.add(x.raised(weighs), x)
	case x.truth == True:
		x.says = idle
		s.add(pick(x.ofPart(weighs), part, summing), x)
	case x.ofPart(weighs):
	case f.hearing.hint.role(ConditionType(x.at)) == idle && phrase(x.reason).state() == busy: // it is about to be
		x.says = busy
		s.add(alarm, x)
	}
}

// weighGuess adds what a condition most likely says whose name no vocabulary has.
func (f *Fields) weighGuess(s *signs, x *sign, role meaning, weighs weight) {
	x.optional = role != past
	x.says = x.lacks()
	switch {
	case x.says == good && x.optional:
		weighs = part
	case x.says == busy && phrase(x.at).goes():
		return
	case x.says == busy && plightOf(x.reason, x.message) == unsaid:
		weighs = part
	}
	s.add(weighs, x)
}

// unwanted reports whether a reason says that a side of the object is not there
// because nobody asks for it.
func unwanted(reason string) bool {
	return endsAny(reason, []string{"Disabled", "NotApplicable", "NotEnabled", "NotNeeded", "NotRequested", "NotRequired"})
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
func (x *sign) lacks() meaning {
	switch {
	case x.truth == True && over(x.at) && phrase(x.reason).reason() == bad: // it has come to its end, but not to a good one
		return bad
	case x.truth == True:
		return good
	case x.truth == Unknown:
		return busy
	case x.over():
		return noMeaning
	case x.severity == "Error":
		return bad
	case x.severity == "Info":
		return busy
	}
	switch plightOf(x.reason, x.message) {
	case failing:
		return bad
	case unsaid:
		if slices.Contains(verdictsOfOthers, x.at) {
			return bad
		}
	}
	return busy
}

// The conditions by which somebody else says what he thinks of the object: until
// he has looked they are Unknown or not there, so that False is a refusal.
var verdictsOfOthers = []string{"Accepted", "Admitted", "Valid", "Validated"}

// over reports whether the condition tells of something that goes on for a
// while, such as Running, and that it has come to its end.
func (x *sign) over() bool {
	return (x.at == "Running" || x.at == "Active") && phrase(x.reason).state() == good
}

// troubles says what a condition means that is True when something is wrong.
// Some controllers have one, such as NotReady, that is also True while they
// work; its reason tells.
func (x *sign) troubles() meaning {
	switch {
	case x.truth == False:
		return good
	case x.truth == Unknown:
		return noMeaning
	}
	switch plightOf(x.reason, x.message) {
	case waiting:
		return busy
	case unsaid:
		if strings.HasPrefix(x.at, "Not") { // and no more than that is said
			return busy
		}
	}
	return bad
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
func (x *sign) works() meaning {
	said := phrase(x.reason).state()
	switch {
	case x.truth == True && endsAny(x.reason, endedReasons):
		return good
	case x.truth == True:
		return busy
	case said == idle:
		return idle
	case x.truth == Unknown:
		return busy
	case said == bad:
		return bad
	}
	return good
}
