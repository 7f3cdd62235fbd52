package audit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"kstatus.dev/author/audit"
)

// parseBudget parses a budget such as "writes-per-idle-hour=2" or "time-to-first-status=5s". It
// returns times in seconds.
func parseBudget(text string) (audit.Measure, float64, error) {
	name, most, _ := strings.Cut(text, "=")
	m := audit.Measure(strings.TrimSpace(name))
	switch m {
	case audit.MeasureTimeToFirstStatus, audit.MeasureTimeToReady:
		d, err := time.ParseDuration(strings.TrimSpace(most))
		if err != nil || d <= 0 {
			return m, 0, fmt.Errorf("budget %q: want a time such as %s=5s", text, m)
		}
		return m, d.Seconds(), nil
	case audit.MeasureWritesPerConvergence, audit.MeasureWritesPerIdleHour:
		n, err := strconv.ParseFloat(strings.TrimSpace(most), 64)
		if err != nil || !(n >= 0) || math.IsInf(n, 0) {
			return m, 0, fmt.Errorf("budget %q: want a number such as %s=2", text, m)
		}
		return m, n, nil
	}
	return m, 0, fmt.Errorf("budget %q: want %s, %s, %s or %s, and how much", text, audit.MeasureTimeToFirstStatus,
		audit.MeasureTimeToReady, audit.MeasureWritesPerConvergence, audit.MeasureWritesPerIdleHour)
}
