package word

import "slices"

// summaryConditions are the conditions that summarize an object, in the order in which messages
// name them. If several exist, all must be True. Ready, or the conditions that a hint names,
// outweighs other conditions about one aspect of the object.
var summaryConditions = [...]string{"Ready", "Available", "Healthy", "Synced", "Programmed", "Accepted", "Established"}

// NoSummary is the [SummaryRank] of a condition that is not a summary.
const NoSummary = len(summaryConditions)

// SummaryRank returns the index of a condition type among the summary conditions, and
// [NoSummary] for others.
func SummaryRank(conditionType string) int {
	if i := slices.Index(summaryConditions[:], conditionType); i >= 0 {
		return i
	}
	return NoSummary
}
