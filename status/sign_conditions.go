package status

import (
	"slices"
	"strings"
)

// The conditions that sum an object up, in the order in which a message names
// them first. Where several are there, all must be True. Ready, or what a hint
// names in its place, outweighs what other conditions say of one side of the
// object.
var summaryConditions = [...]ConditionType{"Ready", "Available", "Healthy", "Synced", "Programmed", "Accepted", "Established"}

// rankOf returns the place of a condition among those that sum an object up.
func rankOf(t string) int {
	if i := slices.Index(summaryConditions[:], ConditionType(t)); i >= 0 {
		return i
	}
	return len(summaryConditions)
}

// conditionSigns reads status.conditions.
func conditionSigns(o *Fields, s *signs) {
	const path = "status.conditions"
	h := o.hearing
	if h.hint.ignores("conditions") {
		return
	}
	switch v := h.status["conditions"].(type) {
	case nil:
	case map[string]any:
		for t, item := range v {
			if m, ok := item.(map[string]any); ok {
				o.conditionSign(s, ConditionType(t), m)
			}
		}
		o.mapForm(path, v)
	default:
		if !h.conditions.read {
			h.conditions.open(o, path)
		}
		if h.conditions.strange {
			o.malformed(path, "a list of conditions", v)
			return
		}
		for i, item := range h.conditions.list {
			m, _ := item.(map[string]any)
			if t := h.conditions.typeOf(i, m); t != "" {
				o.conditionSign(s, t, m)
			}
		}
	}
	o.doubled(path)
}

// doubled warns of types that stand twice in the list.
func (f *Fields) doubled(path string) {
	x := &f.hearing.conditions
	var seen map[ConditionType]int // made for a long list, so that it takes no longer than its length
	if len(x.list) > len(x.types) {
		seen = make(map[ConditionType]int, len(x.list))
	}
	for i, item := range x.list {
		m, _ := item.(map[string]any)
		t := x.typeOf(i, m)
		if t == "" {
			continue
		}
		first := i
		if seen == nil {
			first = slices.Index(x.types[:i], t)
		} else if at, ok := seen[t]; ok {
			first = at
		} else {
			seen[t] = i
		}
		if first >= 0 && first < i {
			n, _ := x.list[first].(map[string]any)
			f.worse(f.condition(path, t, n), f.condition(path, t, m))
		}
	}
}

// conditionSign says what one of the object's conditions means.
func (f *Fields) conditionSign(s *signs, t ConditionType, m map[string]any) {
	role, from, weighs := f.roleOf(t)
	if truth := f.plain(m); truth != "" && asHoped(t, role, truth) {
		s.add(pick(weighs == alarm, detail, weighs), &sign{from: from, says: good, at: string(t), truth: truth})
		return
	}
	const path = "status.conditions"
	c := f.condition(path, t, m)
	if f.traced() {
		f.sawCondition(path, t, c)
	}
	x := signOf(c, m)
	x.from = from
	if t == ConditionReconciling || t == ConditionStalled { // what they say is known; see standard
		switch {
		case c.Stale:
			x.says = busy
			s.add(detail, &x)
		case c.Is(False):
			x.says = good
			s.add(detail, &x)
		}
		return
	}
	if !f.isOver(c) {
		f.weigh(s, &x, x.roleByOperator(role), weighs)
	}
}

// plain returns the status of a condition that speaks of this generation, empty
// for one that does not, or that has to be read with care.
func (f *Fields) plain(m map[string]any) Truth {
	status, _ := m["status"].(string)
	if status != "True" && status != "False" || f.traced() {
		return ""
	}
	if v := m["observedGeneration"]; v != nil {
		if seen, ok := generationOf(v); ok && seen > 0 && seen < f.hearing.generation {
			return ""
		}
	}
	return Truth(status)
}

// asHoped reports whether a condition says so clearly that all is well that what
// else stands in it does not matter.
func asHoped(t ConditionType, role meaning, truth Truth) bool {
	switch {
	case role == bad:
		return truth == False
	case truth != True || role != good && role != past:
		return false
	}
	return t != "Running" && t != "Initialized" && !over(string(t))
}

// roleOf returns what it means that a condition of that type is True, and what
// it weighs.
func (f *Fields) roleOf(t ConditionType) (role meaning, from source, weighs weight) {
	role = f.hearing.hint.role(t)
	switch rank := rankOf(string(t)); {
	case role == summed:
		return good, fromSummary, summing
	case role != noMeaning:
	case rank == 0:
		return good, fromSummary, summing
	case rank < len(summaryConditions):
		return good, fromSummary, alarm
	case f.hearing.hint.patient(string(t)) || f.hearing.hint.strict(string(t)):
		role = good
	case t == "Running" && f.hearing.hint.finite(f.hearing.kind.Kind):
		return busy, fromCondition, part // and leaves it True where the end is told elsewhere
	default:
		role = phrase(t[strings.LastIndexByte(string(t), '/')+1:]).role()
	}
	if role == good && is(string(t), "started", "created", "launched") && f.hearing.hint.runs(f.hearing.kind.Kind) {
		role = noMeaning // it has begun, which is not its end
	}
	return role, fromCondition, detail
}

func signOf(c Condition, m map[string]any) sign {
	severity, _ := m["severity"].(string)
	return sign{at: string(c.Type), truth: c.Status, reason: c.Reason, message: c.Message, severity: severity, since: c.Since, stale: c.Stale}
}

// weigh adds what a condition with that role says. That a condition is as it
// should be is never more than a detail, unless it sums the object up.
func (f *Fields) weigh(s *signs, x *sign, role meaning, weighs weight) {
	fine := max(weighs, detail)
	if weighs == summing {
		fine = summing
	}
	switch {
	case x.stale:
		if role != neutral && role != bad {
			x.says = busy
			s.add(pick(role == busy, min(weighs, alarm), weighs), x)
		}
	case role == neutral:
		if x.truth == True && f.hearing.hint.role(ConditionType(x.at)) != neutral && !endsAny(x.at, []string{"pgradeable", "pgradable"}) {
			f.Warn("condition %s is True", x.at)
		}
	case role == good:
		x.says = x.lacks()
		switch {
		case x.says == bad && f.hearing.hint.patient(x.at):
			x.says = busy
		case x.says == busy && x.truth == False && f.hearing.hint.fine(x.reason):
			x.says = good
		case x.says == busy && x.truth == False && f.hearing.hint.strict(x.at):
			x.says = bad
		case x.says == busy && x.truth == False && x.from == fromSummary && slices.Contains(stopReasons, x.reason):
			x.says, weighs = idle, summing
		}
		if x.says != noMeaning {
			s.add(pick(x.says == good, fine, weighs), x)
		}
	case role == bad:
		x.says = x.troubles()
		if x.says != noMeaning {
			s.add(pick(x.says == good, detail, min(weighs, alarm)), x)
		}
	case role == busy:
		x.says = x.works()
		switch {
		case x.says == idle:
			weighs = summing
		case weighs == part && x.says == good:
			return
		case weighs == part && x.says == busy:
		case x.says == good, x.truth == Unknown:
			weighs = detail
		default:
			weighs = min(weighs, alarm)
		}
		s.add(weighs, x)
	case role == idle:
		switch {
		case x.truth == True && plightOf(x.reason, x.message) == failing: // an error has stopped it
			x.says = bad
			s.add(min(weighs, alarm), x)
		case x.truth == True:
			x.says = idle
			s.add(summing, x)
		case f.hearing.hint.role(ConditionType(x.at)) == idle && phrase(x.reason).state() == busy: // it is about to be
			x.says = busy
			s.add(alarm, x)
		}
	default:
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
}

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
	case plightOf(x.reason, x.message) == waiting:
		return busy
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
