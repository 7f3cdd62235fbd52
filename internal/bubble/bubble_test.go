package bubble

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestSleepAdvancesTheClockOfABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		Sleep(time.Hour)
		if took := time.Since(began); took != time.Hour {
			t.Errorf("the clock advances by %s, want 1h", took)
		}
	})
}

func TestSleepPanicsOutsideABubble(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it does not panic")
		}
	}()
	Sleep(time.Nanosecond)
}
