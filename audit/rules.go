package audit

// Rules lists every rule, in the order of their IDs.
var Rules = []*Rule{
	observedBackward,
}
