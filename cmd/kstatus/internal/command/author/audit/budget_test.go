package audit

import (
	"strings"
	"testing"

	"kstatus.dev/author/audit"
)

func TestParseBudget(t *testing.T) {
	for _, c := range []struct {
		text    string
		measure audit.Measure
		most    float64
		ok      bool
	}{
		{"writes-per-idle-hour=2", audit.MeasureWritesPerIdleHour, 2, true},
		{"writes-per-convergence=0", audit.MeasureWritesPerConvergence, 0, true},
		{"time-to-first-status=5s", audit.MeasureTimeToFirstStatus, 5, true},
		{"time-to-ready=1m30s", audit.MeasureTimeToReady, 90, true},
		{text: "time-to-ready=90"},
		{text: "time-to-ready=-1s"},
		{text: "writes-per-idle-hour=-1"},
		{text: "writes-per-idle-hour=NaN"},
		{text: "writes-per-idle-hour=Inf"},
		{text: "writes-per-idle-hour"},
		{text: "writes=2"},
		{text: ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			measure, most, err := parseBudget(c.text)
			if (err == nil) != c.ok || c.ok && (measure != c.measure || most != c.most) {
				t.Errorf("parseBudget(%q) = %s, %g, %v; want %s, %g", c.text, measure, most, err, c.measure, c.most)
			}
			if err != nil && !strings.Contains(err.Error(), "want") {
				t.Errorf("parseBudget(%q): %v does not say what is wanted", c.text, err)
			}
		})
	}
}
