package observe

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

const (
	// The maximum length in bytes of a part's message in an update.
	partText = 200
	// Above this number of parts, an object is judged again for a changed part only after
	// a pause. The pause is partPause times the number of parts.
	partsAtOnce = 100
	partPause   = 10 * time.Microsecond
)

// A part is an unready object that the controller of a target has created.
type part struct {
	result     status.Result
	object     status.Object // nil if its verdict does not depend on the time
	objectAt   offset        // when to judge object again
	unreadable string        // why parts of its kind cannot be read; it has no result then
}

// setPart records the verdict on a part of a target, and reports whether it has
// changed.
func (tr *tracker) setPart(st *targetState, obs observation, now offset) (changed bool) {
	before := st.parts[obs.Target]
	delete(st.parts, obs.Target)
	p := &part{result: obs.result}
	switch {
	case obs.Err != nil && obs.result.Reason == status.ReasonForbidden:
		p = &part{unreadable: obs.Err.Error()}
	case obs.Err != nil:
		p = before
	case obs.Object == nil, hasOnlyMetadata(obs.Object), obs.result.Status == status.CurrentStatus, obs.result.Status == status.TerminatingStatus:
		p = nil
	case obs.result.Recheck > 0:
		p.object, p.objectAt = obs.Object, now.add(obs.result.Recheck)
	}
	if p != nil && before != nil {
		keepPullError(&p.result, before.result)
	}
	if before != nil && isTrouble(before.result) {
		st.clocks.recoveringSince = 0
		if obs.Object == nil && obs.Err == nil {
			st.clocks.recoveringSince = now
		}
	}
	st.noteFormer(obs, p)
	switch {
	case p == nil && len(st.parts) == 0:
		st.parts = nil // an empty map would keep its memory
	case p != nil:
		if st.parts == nil {
			st.parts = map[Target]*part{}
		}
		st.parts[obs.Target] = p
	}
	return !p.isEqual(before)
}

// noteFormer keeps the last problem of a part. A Job that fails deletes its Pods. A container that
// exits is ready again until it exits again; a part that is ready has solved other problems.
func (st *targetState) noteFormer(obs observation, p *part) {
	switch {
	case p != nil && isTrouble(p.result):
		st.former = problem{count: 1, example: obs.Target, part: p}.parts()
	case st.former == nil || st.former.Name != obs.Target.Name:
	case obs.result.Status == status.CurrentStatus && st.former.Reason != status.ReasonCrashLoop && st.former.Reason != status.ReasonContainerError:
		st.former = nil
	}
}

// addFormer adds the last problem of a part to the update of an object that has failed and has no
// parts any more.
func (st *targetState) addFormer(u *Update) {
	if st.former == nil || u.Result.Failure != status.FailureTerminal {
		return
	}
	former := *st.former
	former.Message += " (it was deleted)"
	u.Result.Message = strings.TrimSuffix(u.Result.Message, ".")
	u.Parts = &former
}

// mergePartsSoon judges an object again because one of its parts has changed. If it has many
// parts, which takes long, it waits for further changes.
func (tr *tracker) mergePartsSoon(st *targetState, now offset) {
	if many := len(st.parts); many > partsAtOnce {
		if next := st.clocks.partsMerged.add(time.Duration(many) * partPause); now < next {
			st.timer.checkAt(next)
			return
		}
	}
	tr.updateVerdict(st, now)
}

// isEqual reports whether two parts, nil for none, have the same verdict for the
// same time.
func (p *part) isEqual(q *part) bool {
	if p == nil || q == nil {
		return p == q
	}
	x, y := &p.result, &q.result
	return x.Status == y.Status && x.Reason == y.Reason && x.Message == y.Message && x.Failure == y.Failure && p.objectAt == q.objectAt && p.unreadable == q.unreadable
}

// keepPullError keeps the error of the last pull of an image while the kubelet waits before the next
// one. Its message is only that it waits then.
func keepPullError(now *status.Result, before status.Result) {
	const reason, waits = status.ReasonImagePullBackOff, `Back-off pulling image "`
	head, _, isWaiting := strings.Cut(now.Message, ": "+waits)
	if now.Reason != reason || before.Reason != reason || !isWaiting || !strings.HasSuffix(now.Message, `"`) {
		return
	}
	_, container, _ := strings.Cut(head, ": ")
	if _, failure, ok := strings.Cut(before.Message, ": "+container+": "); ok && !strings.HasPrefix(failure, waits) {
		now.Message = head + ": " + failure
	}
}

// hasOnlyMetadata reports whether an object has neither spec nor status, so that
// it cannot be judged.
func hasOnlyMetadata(obj status.Object) bool {
	root := obj.UnstructuredContent()
	return root["spec"] == nil && root["status"] == nil
}

// mergeParts adds the worst problem of the parts to the update of an object that is not ready.
// It returns when the verdict changes by itself. Parts do not count for a Current object, nor
// before its controller has observed its latest generation.
func (tr *tracker) mergeParts(st *targetState, u *Update, now offset) (changesAt offset) {
	if len(st.parts) == 0 {
		st.addFormer(u)
		return st.timer.objectAt
	}
	st.clocks.partsMerged = now
	if st.clocks.staleSince == 0 {
		tr.renewParts(st, now)
	}
	result := &u.Result
	switch {
	case result.Status != status.InProgressStatus && result.Status != status.FailedStatus,
		result.Suspended != "", unobserved(result.Reason):
		return st.timer.objectAt
	}
	if why := st.whyUnreadable(); why != "" {
		result.Warnings = append(slices.Clip(result.Warnings), "its reason may be incomplete, because its parts cannot be read: "+why)
	}
	worst := st.worstProblem(result.Reason == status.ReasonRunning)
	if worst.count == 0 {
		return st.timer.objectAt
	}
	result.Message = strings.TrimSuffix(result.Message, ".") // the problem of the parts follows
	u.Parts = worst.parts()
	if worst.severity > severityRecoverable || result.Status != status.InProgressStatus || result.Failure != "" {
		return st.timer.objectAt
	}
	result.Reason, result.Failure = worst.part.result.Reason, status.FailureRecoverable
	if worst.part.result.Status == status.FailedStatus {
		result.Status = status.FailedStatus
	}
	return worst.part.objectAt
}

// whyUnreadable returns why some of the parts cannot be read, empty if all can.
func (st *targetState) whyUnreadable() (why string) {
	var first Target
	for t, p := range st.parts {
		if p.unreadable != "" && (why == "" || t.Compare(first) < 0) {
			first, why = t, p.unreadable
		}
	}
	return why
}

// unobserved reports whether a verdict is that the controller has not observed
// the latest generation.
func unobserved(reason string) bool {
	return reason == status.ReasonNotObserved || reason == status.ReasonLatestGenerationNotObserved
}

// renewParts judges the parts again whose verdicts depend on the time.
func (tr *tracker) renewParts(st *targetState, now offset) {
	for t, p := range st.parts {
		if p.objectAt != 0 && p.objectAt <= now {
			tr.setPart(st, tr.judge(Event{Target: t, Object: p.object}), now)
			p = st.parts[t]
		}
		if p != nil {
			st.timer.checkAt(p.objectAt)
		}
	}
}

// A severity is how bad the problem of a part is for its owner, the worst first. A terminal
// failure of a part is not terminal for its owner, which may create another part.
type severity int

const (
	severityTerminal      severity = iota // the part does not become ready
	severityFailed                        // the problem has lasted for the window of its reason
	severityRecoverable                   // the problem is recoverable
	severityInformational                 // the problem does not decide about the owner
	severityProgressing                   // the part has no problem
	severityNone                          // no part exists
)

// severity returns how bad the problem of a part is. Owners replace parts that have ended if
// needed. An owner that runs to completion, such as a Job, counts the failures of its parts
// itself.
func (p *part) severity(toEnd bool) severity {
	switch r := &p.result; {
	case r.Reason == status.ReasonPodFailed, toEnd && r.Reason == status.ReasonCrashLoop:
		return severityInformational
	case r.Failure == status.FailureTerminal:
		return severityTerminal
	case r.Status == status.FailedStatus:
		return severityFailed
	case r.Failure == status.FailureRecoverable, r.Reason == status.ReasonUnschedulable:
		return severityRecoverable
	}
	return severityProgressing
}

// A problem is shared by several parts of a kind.
type problem struct {
	count    int
	severity severity
	example  Target // the first of the worst parts, by name
	part     *part  // the example
}

// worstProblem returns the worst problem, and among equally bad ones the most
// frequent.
func (st *targetState) worstProblem(toEnd bool) (worst problem) {
	type common struct {
		kind   status.Kind
		reason string
	}
	problems := map[common]problem{}
	for t, p := range st.parts {
		if p.unreadable != "" {
			continue
		}
		key := common{t.Kind, p.result.Reason}
		same, known := problems[key]
		same.count++
		if s := p.severity(toEnd); !known || s < same.severity || s == same.severity && t.Compare(same.example) < 0 {
			same.severity, same.example, same.part = s, t, p
		}
		problems[key] = same
	}
	worst.severity = severityNone
	for _, p := range problems {
		if cmp.Or(cmp.Compare(p.severity, worst.severity), cmp.Compare(worst.count, p.count), p.example.Compare(worst.example)) < 0 {
			worst = p
		}
	}
	return worst
}

// parts returns the problem in the form of an update.
func (p problem) parts() *status.Parts {
	kind, verdict := p.example.Kind, p.part.result
	return &status.Parts{
		Count: p.count, Group: kind.Group, Kind: kind.Kind, Name: p.example.Name, Reason: verdict.Reason,
		Message: text.Cut(strings.Join(strings.Fields(verdict.Message), " "), partText+len(text.Ellipsis)),
	}
}
