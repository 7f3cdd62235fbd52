package observe

import (
	"fmt"
	"strings"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/observe/internal/applied"
	"kstatus.dev/status"
)

// superseded replaces the verdict on an object if another change has replaced the program that was
// applied: the Pod template has another spec. It reports whether it has. For other differences in
// the spec it adds a caveat, since controllers may change a spec too. Replicas are no difference,
// because an autoscaler may own them.
func (tr *tracker) superseded(st *targetState, u *Update, obj status.Object) bool {
	var before status.Object
	if tr.watcher.Applied != nil {
		before = tr.watcher.Applied(u.Target)
	}
	if before == nil {
		if tr.watcher.FirstApplied != nil && tr.watcher.FirstApplied(u.Target) {
			st.compareWithFirst(u, obj)
		}
		return false
	}
	generation, want, have := versionOf(before).Generation, specOf(before), specOf(obj)
	if generation == 0 || u.Version.Generation <= generation || want == nil || have == nil {
		return false
	}
	if field := applied.Replaced(want, have, tr.watcher.AppliedTyped); field != "" {
		u.Result = status.Result{Status: status.FailedStatus, Reason: "Superseded", Failure: status.FailureTerminal, Confidence: status.ConfidenceExplicit, Warnings: u.Result.Warnings,
			Message: fmt.Sprintf("another change has replaced generation %d, which was applied, by generation %d: %s", generation, u.Version.Generation, field)}
		return true
	}
	if changed := applied.Changed(want, have, tr.watcher.AppliedTyped); len(changed) > 0 {
		u.warnReplaced("generation %d was applied, and this is generation %d, with another %s", generation, u.Version.Generation, strings.Join(changed, ", "))
	}
	return false
}

// A firstTemplate is the Pod template of the first object of a target.
type firstTemplate struct {
	generation int64
	template   applied.Template
}

// warnReplaced adds a caveat to the verdict on a Current object that is not what was applied.
func (u *Update) warnReplaced(format string, args ...any) {
	if u.Result.Status == status.CurrentStatus {
		u.Result = u.Result.WithCaveat(fmt.Sprintf(format, args...))
	}
}

// compareWithFirst adds a caveat if another Pod template has replaced that of the first object.
func (st *targetState) compareWithFirst(u *Update, obj status.Object) {
	template, ok := applied.TemplateOf(specOf(obj))
	if !ok {
		return
	}
	now := firstTemplate{u.Version.Generation, template}
	if st.requested.first == nil {
		st.requested.first = &now
	}
	if first := st.requested.first; first.template.Hash != now.template.Hash && first.generation < now.generation {
		u.warnReplaced("another change has replaced generation %d, with which the wait began, by generation %d: it has another %s",
			first.generation, now.generation, template.Path)
	}
}

func specOf(obj status.Object) map[string]any { return decoded.Map(obj.UnstructuredContent(), "spec") }
