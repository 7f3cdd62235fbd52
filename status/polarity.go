package status

import (
	"slices"
	"strings"
)

// A polarityOf says what True means for a condition of that name.
type polarityOf int

const (
	noPolarity polarityOf = iota
	positivePolarity
	negative
)

// The words that give a condition's polarity away when its name is one of them
// or ends in one. The first list that has the longest match counts.
var (
	negativeWords = []string{
		"Pressure", "Unavailable", "Failure", "Failed", "Error", "Errored", "Degraded", "Missing", "Conflicted", "Conflict",
		"Dangling", "Terminating", "Paused", "Stalled", "Reconciling", "Deleting", "Unhealthy", "NotReady", "Invalid",
		"Progressing", "Suspended", "Deprecated", "Exceeded", "Stuck", "Issue", "Issues", "Warning", "Pending", "Updating",
		"Problem", "Deadlock", "Corrupted", "Frequent", "Blocked", "Throttled", "Drifted", "Expired", "Rejected", "Denied",
	}
	positiveWords = []string{
		"Ready", "Available", "Healthy", "Synced", "Programmed", "Accepted", "Established", "Reconciled", "Succeeded",
		"Provisioned", "Initialized", "Installed", "Deployed", "Valid", "Validated", "Configured", "Resolved", "ResolvedRefs",
		"Bound", "Scheduled", "Complete", "Completed", "Running", "Applied", "Created", "Active", "Online", "Connected",
	}
)

func polarity(t ConditionType) polarityOf {
	good, bad := longestSuffix(string(t), positiveWords), longestSuffix(string(t), negativeWords)
	switch {
	case bad > 0 && bad >= good:
		return negative
	case good > 0:
		return positivePolarity
	}
	return noPolarity
}

func longestSuffix(name string, words []string) (longest int) {
	if name == "" {
		return 0
	}
	last := name[len(name)-1]
	for _, w := range words {
		if w[len(w)-1] == last && strings.HasSuffix(name, w) {
			longest = max(longest, len(w))
		}
	}
	return longest
}

// warnNegative tells of negative conditions that are True. Their names are a
// guess at their meaning, so they do not decide.
func (f *Fields) warnNegative() {
	for i, v := range asList(f.get("status.conditions")) {
		m, _ := v.(map[string]any)
		t := f.hearing.conditions.typeOf(i, m)
		if t == ConditionReconciling || t == ConditionStalled || slices.Contains(summaryConditions[:], t) {
			continue
		}
		if polarity(t) == negative && m["status"] == "True" {
			f.Warn("condition %s is True", t)
		}
	}
}
