package lint

// Checks lists every check, in the order in which they report.
var Checks = []*Check{
	observedGeneration,
}
