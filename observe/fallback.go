package observe

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/observe/internal/object"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// A fallback is the verdict on an object whose controller never reports what its schema
// declares. It takes effect after Requirements.FirstStatus.
type fallback struct {
	result     *status.Result
	apiVersion string
	missing    string // the message that names the missing report
	silent     bool   // no controller has written anything
	unseen     bool   // no controller has reported an observed generation, although the schema declares one
	announced  bool   // the defaults of the schema give each new object a status
	goalsMet   bool   // whether the fallback meets the goals
	wants      string
}

// missingFirstStatus prepares the fallback for an object if its controller has not
// reported what its schema declares. When the fallback takes effect:
//
//   - An object without any report is Current (assumed), since it may have no controller.
//   - An object with conditions, but without an observed generation, has the status of
//     its conditions. Current is assumed then, since the conditions may be for an earlier
//     generation.
//   - An object without a known summary condition is Current (assumed). So is an object
//     that runs to completion and does not report it.
//   - An object with a user's rule has the status of the rule, assumed in the same way.
//   - A route or a policy of the Gateway API on which no parent has reported is Current (assumed),
//     since some controllers never report.
//   - The wait continues if the profile does not assume Current, or if the schema's
//     defaults give objects a status. It also continues if other objects of the kind show
//     that a controller reports.
func (tr *tracker) missingFirstStatus(st *targetState, u *Update, obj status.Object) {
	isSilent := isWithoutParents(u, obj)
	if st.requested.firstStatus == 0 || !isSilent && !slices.Contains([]string{status.ReasonNotObserved, status.ReasonNoSummary, status.ReasonNotStarted}, u.Result.Reason) {
		return
	}
	e := tr.evaluators.Of(u.Target.Cluster)
	f := &fallback{apiVersion: decoded.Text(obj.UnstructuredContent(), "apiVersion"), missing: u.Result.Message}
	if isSilent {
		plain := u.Result
		plain.Status, plain.Reason, plain.Confidence, plain.Conditions = status.CurrentStatus, status.ReasonNoControllerEvidence, status.ConfidenceAssumed, nil
		f.result, f.silent = &plain, true
		tr.prepareFallback(st, u, obj, f)
		return
	}
	if e.Expect != nil {
		f.announced = e.Expect(f.apiVersion, u.Target.Kind.Kind).DefaultsStatus
	}
	e.Expect = nil
	bare, reported := object.Without(obj, "status", "observedGeneration")
	plain, err := e.Compute(bare)
	if err != nil {
		return
	}
	u.Result.Recheck = cmp.Or(u.Result.Recheck, plain.Recheck)
	demanded := (plain.Rule == "kind" || plain.RuleSource != "") && u.Result.Confidence == status.ConfidenceExplicit // the API requires it, not only its schema
	if plain.Reason == status.ReasonNotObserved || demanded {
		return
	}
	f.result, f.unseen = plain, u.Result.Reason == status.ReasonNotObserved && u.Version.ObservedGeneration <= 0
	switch schema.StatusWritten(obj.UnstructuredContent()) {
	case schema.TristateNo:
		f.silent = true
	case schema.TristateUnknown:
		f.silent = plain.Confidence == status.ConfidenceAssumed && plain.Reason != status.ReasonNoSummary
	}
	f.announced = f.silent && (f.announced || reported) // only a default gives such a status
	tr.prepareFallback(st, u, obj, f)
}

// isWithoutParents reports whether no parent has reported on a route or a policy.
func isWithoutParents(u *Update, obj status.Object) bool {
	if u.Result.Rule != "kind" || u.Result.Reason != status.ReasonWaitingForParents && u.Result.Reason != status.ReasonNoControllerEvidence {
		return false
	}
	for _, field := range [...]string{"parents", "ancestors"} {
		if len(decoded.List(obj.UnstructuredContent(), "status", field)) > 0 {
			return false
		}
	}
	return true
}

// prepareFallback adds what is the same for every fallback, and keeps it for later.
func (tr *tracker) prepareFallback(st *targetState, u *Update, obj status.Object, f *fallback) {
	if !f.announced {
		setMessage(&u.Result, fmt.Sprintf("%s; waiting for its controller (--first-status %s)", f.missing, st.requested.firstStatus))
	}
	then := *u
	then.Result = tr.assumed(f, u, st.requested.firstStatus)
	f.goalsMet, f.wants = st.checkGoals(&then, obj, false)
	st.verdicts.fallback = tr.sharedFallback(f)
}

// sharedFallback returns the last fallback if it is equal, which is usual.
func (tr *tracker) sharedFallback(f *fallback) *fallback {
	if len(f.result.Warnings) > 0 {
		return f
	}
	if tr.lastFallback != nil {
		same := *tr.lastFallback
		if x, y := same.result, f.result; x.Status == y.Status && x.Reason == y.Reason && x.Message == y.Message &&
			x.Failure == y.Failure && x.Suspended == y.Suspended && x.Confidence == y.Confidence && x.RuleSource == y.RuleSource {
			same.result = f.result
		}
		if same == *f {
			return tr.lastFallback
		}
	}
	tr.lastFallback = f
	return f
}

// peersInterval is how often a fallback checks whether other objects of its kind have been read.
const peersInterval = offset(time.Second)

// expireFirstStatus applies the fallback after the time for a first report, and returns whether
// the goals are met. If other objects of the kind count and are still to be read, it waits.
func (tr *tracker) expireFirstStatus(st *targetState, u *Update, goalsMet bool, now offset) bool {
	f, after := st.verdicts.fallback, st.requested.firstStatus
	if f.announced {
		u.Result.Reason = status.ReasonNoControllerEvidence
		setMessage(&u.Result, fmt.Sprintf("%s; still so after %s; the defaults of its schema indicate a controller", f.missing, after))
		return goalsMet
	}
	var others schema.Peers
	if e := tr.evaluators.Of(u.Target.Cluster); e.Expect != nil {
		others = e.Expect(f.apiVersion, u.Target.Kind.Kind).Peers
	}
	if others.Pending && (f.silent || f.unseen) {
		st.timer.checkAt(now + peersInterval)
		return goalsMet
	}
	report := ""
	switch {
	case f.silent && others.Status == schema.TristateYes:
		report = "a status"
	case f.unseen && others.ObservedGeneration == schema.TristateYes:
		report = "an observed generation"
	}
	if report != "" {
		setMessage(&u.Result, fmt.Sprintf("%s; still so after %s; its controller works, since %s has %s", f.missing, after, others.Example, report))
		return goalsMet
	}
	u.Result, u.Unmet = tr.assumed(f, u, after), f.wants
	return f.goalsMet
}

// assumed returns the verdict of a fallback.
func (tr *tracker) assumed(f *fallback, u *Update, after time.Duration) status.Result {
	result, reason := *f.result, status.ReasonObservedGenerationNeverAdvanced
	switch {
	case f.silent:
		reason = status.ReasonNoControllerEvidence
	case result.Reason == status.ReasonNoSummary:
		reason = status.ReasonNoEvidence
	case !f.unseen: // another report is missing
		reason = result.Reason
	}
	result.Warnings = append(slices.Clip(result.Warnings), fmt.Sprintf("waited for %s without success: %s", after, f.missing))
	if result.Status == status.CurrentStatus || result.Confidence == status.ConfidenceAssumed {
		result.Status, result.Reason, result.Confidence = status.CurrentStatus, reason, status.ConfidenceAssumed
		if word, ok := tr.watcher.Evaluator.Profile.StatusOverrides()[reason]; ok {
			result.Status = word
		}
	}
	return result
}

// setMessage gives a verdict another message.
func setMessage(r *status.Result, message string) {
	r.Message, r.Conditions = message, slices.Clone(r.Conditions)
	for i := range r.Conditions {
		r.Conditions[i].Message = message
	}
}
