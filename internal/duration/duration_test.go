package duration_test

import (
	"testing"
	"time"

	"kstatus.dev/internal/duration"
)

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		d           time.Duration
		text, clock string
	}{
		{-time.Hour, "0s", "00:00"},
		{0, "0s", "00:00"},
		{time.Second - 1, "0s", "00:00"},
		{12*time.Second + 900*time.Millisecond, "12s", "00:12"},
		{time.Minute, "1m", "01:00"},
		{time.Minute + time.Second, "1m01s", "01:01"},
		{118 * time.Second, "1m58s", "01:58"},
		{10 * time.Minute, "10m", "10:00"},
		{time.Hour - 1, "59m59s", "59:59"},
		{time.Hour, "1h00m", "60:00"},
		{65 * time.Minute, "1h05m", "65:00"},
		{time.Hour + time.Second, "1h00m01s", "60:01"},
		{100*time.Hour + 2*time.Minute, "100h02m", "6002:00"},
	} {
		t.Run(c.d.String(), func(t *testing.T) {
			if got := duration.Text(c.d); got != c.text {
				t.Errorf("Text = %q, want %q", got, c.text)
			}
			if got := duration.Clock(c.d); got != c.clock {
				t.Errorf("Clock = %q, want %q", got, c.clock)
			}
		})
	}
}

// time.ParseDuration reads what Text writes.
func TestFor(t *testing.T) {
	for d, want := range map[time.Duration]string{-time.Second: "", 999 * time.Millisecond: "", time.Second: " for 1s", 61 * time.Second: " for 1m01s"} {
		if have := duration.For(d); have != want {
			t.Errorf("For(%s) = %q, want %q", d, have, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add(int64(0))
	f.Add(int64(3661))
	f.Fuzz(func(t *testing.T, seconds int64) {
		want := time.Duration(uint64(seconds)%1e9) * time.Second
		text := duration.Text(want)
		if got, err := time.ParseDuration(text); err != nil || got != want {
			t.Errorf("Text(%d s) = %q, which is %v, %v", want/time.Second, text, got, err)
		}
	})
}
