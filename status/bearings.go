package status

// A bearing tells by a field of its spec who works for an object of a kind that
// anybody may have made.
type bearing struct {
	fields []string // any of these fields of the spec
	hint   *Hint
}

// bearing returns the hint for an object whose kind has none.
func (h *hearing) bearing() *Hint {
	for i := range bearings {
		for _, field := range bearings[i].fields {
			if h.spec[field] != nil {
				return bearings[i].hint
			}
		}
	}
	return nil
}

// A managed resource of Crossplane says what it asks of its provider, a composite
// resource or a claim which composition makes it.
var bearings = [...]bearing{
	{[]string{"forProvider", "crossplane", "compositionRef", "compositionSelector", "compositionRevisionRef", "compositionUpdatePolicy"}, crossplaneResource},
}
