package explain

// changed tells what changed at an object on the way to a cause before it came
// to be so, without any value that may be secret.
func changed(chain []*node) []string { return nil }
