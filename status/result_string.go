package status

// String returns the result as text, such as "InProgress NotAvailable: 2/3 available".
func (r Result) String() string {
	text := string(r.Status)
	if r.Reason != "" {
		text += " " + r.Reason
	}
	if r.Message != "" {
		text += ": " + r.Message
	}
	return text
}
