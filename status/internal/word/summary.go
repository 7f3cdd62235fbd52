package word

import "slices"

// summaryConditions are the conditions that sum an object up, in the order in which a
// message names them first. If several exist, all must be True. Ready, or what a hint
// names in its place, outweighs what other conditions report of one side of the object.
var summaryConditions = [...]string{"Ready", "Available", "Healthy", "Synced", "Programmed", "Accepted", "Established"}

// NoSummary is the [SummaryRank] of a condition that does not sum an object up.
const NoSummary = len(summaryConditions)

// SummaryRank returns the place of a type of conditions among those that sum an object
// up, zero for the first, and [NoSummary] for others.
func SummaryRank(conditionType string) int {
	if i := slices.Index(summaryConditions[:], conditionType); i >= 0 {
		return i
	}
	return NoSummary
}
