package status

import (
	"strings"

	"kstatus.dev/status/internal/word"
)

// addByRole adds the signal of a condition with a role. A condition in its normal state is at
// most a detail, unless it is a summary.
func (f *Fields) addByRole(s *signals, x *signal, role word.Role, p precedence) {
	switch {
	case x.stale:
		if role != word.RoleNeutral && (role != word.RoleNegative || x.readNegative() == word.Progressing || x.componentOnly(p) && x.readNegative() == word.Failing) {
			x.polarity = word.Progressing
			s.add(choose(role == word.RoleProgress || role == word.RoleNegative, x.escalated(p), p), x)
		}
	case role == word.RoleNeutral:
		if x.status == conditionTrue && f.eval.hint.role(string(x.name)) != word.RoleNeutral && !word.HasAnySuffix(x.name, []string{"pgradeable", "pgradable"}) {
			f.Warn("condition %s is True", x.name)
		}
	case role == word.RolePositive:
		f.addPositive(s, x, p)
	case role == word.RoleNegative:
		if x.polarity = x.readNegative(); x.polarity != word.None {
			s.add(choose(x.status == conditionFalse, max(p, detail), x.escalated(p)), x)
		}
		s.undegraded = s.undegraded || x.name == "Degraded" && x.polarity == word.Ready
	case role == word.RoleProgress:
		f.addProgress(s, x, p)
	case role == word.RoleSuspension:
		f.addSuspension(s, x, p)
	default:
		f.addGuess(s, x, role, p)
	}
}

// addPositive adds the signal of a condition that is True in the normal state.
func (f *Fields) addPositive(s *signals, x *signal, p precedence) {
	x.polarity = x.readPositive()
	lacks := x.polarity == word.Progressing && x.status == conditionFalse
	switch hint := f.eval.hint; {
	case x.polarity == word.Progressing && p == detail && word.IsNotNeeded(x.reason):
		x.polarity, p = word.Ready, component
	case lacks && p == detail && (word.IsDisabled(x.reason) || word.IsDetection(x.name)):
		p = component
	case x.polarity == word.Failing && hint.isProgressIfFalse(x.name):
		x.polarity = word.Progressing
	case lacks && (hint.isNormalReason(x.reason) || x.isTaken()):
		x.polarity = word.Ready
	case lacks && (hint.isFailedIfFalse(x.name) || x.kind == signalCondition && x.name == "Succeeded" && x.isVerdict() && hint.finite(f.eval.kind.Kind)):
		x.polarity = word.Failing
	case lacks && x.kind == signalSummary && word.IsStop(x.reason):
		x.polarity, p = word.Suspended, summary
	}
	switch {
	case x.polarity == word.None:
		return
	case x.polarity == word.Ready && p != summary:
		p = max(p, detail)
	}
	s.add(p, x)
}

// isVerdict reports whether nothing beside a condition that is False says that the run goes on. Until
// it ends, such a condition is Unknown.
func (x *signal) isVerdict() bool {
	return word.State(x.reason) == word.None && word.Why(x.reason, x.message) == word.CauseUnspecified
}

// isTaken reports whether the condition says that the object is not available because another
// object uses it, which is the purpose of the object.
func (x *signal) isTaken() bool {
	return x.name == "Available" && !strings.Contains(x.reason, "Already") && !strings.Contains(x.message, "already") &&
		(word.HasAnySuffix(x.reason, []string{"InUse", "Occupied"}) || strings.Contains(x.message, " in use by "))
}

// addProgress adds the signal of a condition that is True while the object is in
// progress.
func (f *Fields) addProgress(s *signals, x *signal, p precedence) {
	x.polarity = x.readProgress()
	switch {
	case x.polarity == word.Suspended && !x.componentOnly(p):
		p = summary
	case p == component && x.polarity == word.Ready, x.polarity == word.Ready && x.status == conditionFalse && f.eval.hint.isRunKind(f.eval.kind.Kind):
		return // a run that makes no progress has not begun, or has ended in any way
	case p == component && x.polarity == word.Progressing, x.componentOnly(p):
	case x.polarity == word.Ready, x.status == conditionUnknown:
		p = detail
	default:
		p = x.escalated(p)
	}
	s.add(p, x)
}

// addSuspension adds the signal of a condition that is True while the object is
// stopped.
func (f *Fields) addSuspension(s *signals, x *signal, p precedence) {
	switch {
	case x.status == conditionTrue && word.Why(x.reason, x.message) == word.CauseError: // an error has stopped it
		x.polarity = word.Failing
		s.add(x.escalated(p), x)
	case x.status == conditionTrue:
		x.polarity = word.Suspended
		s.add(choose(x.componentOnly(p), component, summary), x)
	case x.componentOnly(p):
	case f.eval.hint.role(string(x.name)) == word.RoleSuspension && word.State(x.reason) == word.Progressing: // it is about to be suspended
		x.polarity = word.Progressing
		s.add(override, x)
	}
}

// addGuess adds the signal of a condition whose type is not in the vocabulary.
func (f *Fields) addGuess(s *signals, x *signal, role word.Role, p precedence) {
	x.guess = role != word.RoleLikely
	x.polarity = x.readPositive()
	switch {
	case x.polarity == word.Progressing && word.IsNotNeeded(x.reason):
		x.polarity, p = word.Ready, component
	case x.polarity == word.Ready && x.guess && s.get(summary, word.Ready) != nil: // which outweighs it, whatever its texts say
		p = component
	case x.polarity == word.Ready && x.guess && word.ReportsError(x.message):
		x.polarity = word.Failing
	case x.polarity == word.Ready && x.guess:
		if p = component; word.EndsInGerund(x.name) && word.Why(x.reason, "") == word.CauseWaiting && !word.ReportsSuccess(x.message) {
			x.polarity = word.Progressing
		}
	case x.polarity == word.Progressing && word.EndsInGerund(x.name):
		return
	case x.polarity == word.Progressing && word.Why(x.reason, x.message) == word.CauseUnspecified:
		p = component
	}
	s.add(p, x)
}

// escalated returns the precedence of a problem or of progress found at precedence w. A problem
// of a component is never escalated.
func (x *signal) escalated(w precedence) precedence {
	if x.componentOnly(w) {
		return component
	}
	return min(w, override)
}

// componentOnly reports whether the signal is about a component of the object only.
func (x *signal) componentOnly(w precedence) bool { return x.kind == signalPart && w == component }

// choose returns a if first is true, else b.
func choose(first bool, a, b precedence) precedence {
	if first {
		return a
	}
	return b
}

// readPositive returns the polarity of a condition that is True in the normal state. Conditions
// of Cluster API and of Azure Service Operator have a severity, which counts before the words:
// Info means progress, Error needs a user.
func (x *signal) readPositive() word.Polarity {
	switch {
	case x.status == conditionTrue && word.IsEnd(x.name) && word.Reason(x.reason) == word.Failing: // completed, but without success
		return word.Failing
	case x.status == conditionTrue:
		return word.Ready
	case x.status == conditionUnknown:
		return word.Progressing
	case x.hasEnded():
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
		if word.IsAdmission(x.name) {
			return word.Failing
		}
	}
	return word.Progressing
}

// hasEnded reports whether the condition is about something that lasts for a while,
// such as Running, and says that it has succeeded.
func (x *signal) hasEnded() bool {
	return (x.name == "Running" || x.name == "Active") && word.State(x.reason) == word.Ready
}

// readNegative returns the polarity of a condition that is True in case of a problem. Some
// controllers set such a condition, for example NotReady, also while they work. Its reason shows
// the difference.
func (x *signal) readNegative() word.Polarity {
	switch {
	case x.status == conditionFalse && word.Contradicts(x.reason, x.message): // its writer has mistaken the status
		return word.Failing
	case x.status == conditionFalse:
		return word.Ready
	case x.status == conditionUnknown:
		return word.None
	}
	switch word.Why(x.reason, x.message) {
	case word.CauseWaiting:
		return word.Progressing
	case word.CauseUnspecified:
		if strings.HasPrefix(x.name, "Not") { // the condition has no reason or message
			return word.Progressing
		}
	}
	return word.Failing
}

// readProgress returns the polarity of a condition that is True while the object is in
// progress. A reason such as NewReplicaSetAvailable says that the progress has ended.
func (x *signal) readProgress() word.Polarity {
	text := word.State(x.reason)
	switch {
	case x.status == conditionTrue && (word.EndsProgress(x.reason) || word.ReportsSuccess(x.message)):
		return word.Ready
	case x.status == conditionTrue:
		return word.Progressing
	case text == word.Suspended:
		return word.Suspended
	case x.status == conditionUnknown:
		return word.Progressing
	case text == word.Failing:
		return word.Failing
	}
	return word.Ready
}
