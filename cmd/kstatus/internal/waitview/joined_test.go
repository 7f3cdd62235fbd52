package waitview

import "testing"

func TestJoinedTextsHaveOnePeriod(t *testing.T) {
	const want = "Available is False: it does not have minimum availability; fails at 01:00"
	if have := joined("Available is False: it does not have minimum availability.", "fails at 01:00"); have != want {
		t.Errorf("it is %q, want %q", have, want)
	}
}
