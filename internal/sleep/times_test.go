package sleep

import (
	"testing"
	"time"
)

func TestTimes(t *testing.T) {
	one, two, none := time.Unix(1, 0), time.Unix(2, 0), time.Time{}
	for _, row := range []struct {
		it         string
		have, want time.Time
	}{
		{"the first of two", Earliest(two, one), one},
		{"the first that is not zero", Earliest(none, two), two},
		{"the first of none", Earliest(), none},
		{"the last of two", Latest(one, two), two},
		{"the last of two in another order", Latest(two, one), two},
		{"the last of one and zero", Latest(none, one), one},
	} {
		if !row.have.Equal(row.want) {
			t.Errorf("%s is %s, want %s", row.it, row.have, row.want)
		}
	}
}
