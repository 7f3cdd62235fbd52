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
		{24*time.Hour - time.Second, "23h59m59s", "1439:59"},
		{24*time.Hour + time.Minute, "24h", "1441:00"},
		{100*time.Hour + 2*time.Minute, "4d4h", "6002:00"},
		{72 * time.Hour, "3d", "4320:00"},
		{7829*time.Hour + 47*time.Minute, "326d", "469787:00"},
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

func TestFor(t *testing.T) {
	for d, want := range map[time.Duration]string{-time.Second: "", 999 * time.Millisecond: "", time.Second: " for 1s", 61 * time.Second: " for 1m01s"} {
		if have := duration.For(d); have != want {
			t.Errorf("For(%s) = %q, want %q", d, have, want)
		}
	}
}

// Days are written as kubectl writes ages.
func TestRough(t *testing.T) {
	const hour, day, year = time.Hour, 24 * time.Hour, 365 * 24 * time.Hour
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 45 * time.Second: "45s", 2*time.Minute - 1: "119s", 2 * time.Minute: "2m", 2*hour - 1: "119m", 3 * hour: "3h",
		2*day - 1: "47h", 2 * day: "2d", 3*day + 4*hour: "3d4h", 8 * day: "8d", 10*day + 5*hour: "10d", 2*year - 1: "729d", 2 * year: "2y",
		2*year + 30*day: "2y30d", 9*year + day: "9y",
	} {
		if have := duration.Rough(d); have != want {
			t.Errorf("Rough(%s) = %q, want %q", d, have, want)
		}
	}
}

// Below a day, time.ParseDuration reads what Text writes.
func FuzzText(f *testing.F) {
	f.Add(int64(0))
	f.Add(int64(3661))
	f.Fuzz(func(t *testing.T, seconds int64) {
		want := time.Duration(uint64(seconds)%86400) * time.Second
		text := duration.Text(want)
		if got, err := time.ParseDuration(text); err != nil || got != want {
			t.Errorf("Text(%d s) = %q, which is %v, %v", want/time.Second, text, got, err)
		}
	})
}
