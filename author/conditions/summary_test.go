package conditions_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
)

func TestSummarize(t *testing.T) {
	part := func(typ, status, reason, message string, p conditions.Polarity) conditions.Part {
		return conditions.Part{Polarity: p, Condition: metav1.Condition{
			Type: typ, Status: metav1.ConditionStatus(status), Reason: reason, Message: message}}
	}
	const good, bad, abnormal, neutral = conditions.PolarityPositive, conditions.PolarityNegative, conditions.PolarityPresentOnlyWhenTrue, conditions.PolarityNeutral
	up := part("Up", "True", "Running", "on node a", good)
	down := part("Up", "False", "NoQuota", "no quota", good)
	degraded := part("Degraded", "True", "DiskFull", "90 %\nof the disk", bad)
	healthy := part("Degraded", "False", "Healthy", "", bad)
	unsure := part("Reachable", "Unknown", "Timeout", "", good)
	optional := part("Backup", "", "", "", good)
	optional.Optional = true
	for name, c := range map[string]struct {
		parts []conditions.Part
		want  metav1.Condition
	}{
		"it is True without parts":                             {nil, metav1.Condition{Status: "True", Reason: "AsExpected"}},
		"it is True with the reason of its only part":          {[]conditions.Part{up}, metav1.Condition{Status: "True", Reason: "Running"}},
		"it is True if all are healthy":                        {[]conditions.Part{up, healthy}, metav1.Condition{Status: "True", Reason: "AsExpected"}},
		"it is False with the unhealthy part":                  {[]conditions.Part{healthy, down}, metav1.Condition{Status: "False", Reason: "NoQuota", Message: "Up: no quota"}},
		"it is False if a negative condition is True":          {[]conditions.Part{up, degraded}, metav1.Condition{Status: "False", Reason: "DiskFull", Message: "Degraded: 90 %\n  of the disk"}},
		"it is False if one is unhealthy and one is not known": {[]conditions.Part{unsure, down, degraded}, metav1.Condition{Status: "False", Reason: "NoQuota", Message: "* Up: no quota\n* Degraded: 90 %\n  of the disk\n* Reachable: Timeout"}},
		"it is Unknown if one is not known":                    {[]conditions.Part{up, unsure}, metav1.Condition{Status: "Unknown", Reason: "Timeout", Message: "Reachable: Timeout"}},
		"it is Unknown if one is missing":                      {[]conditions.Part{part("Up", "", "", "", good)}, metav1.Condition{Status: "Unknown", Reason: "NotYetReconciled", Message: "Up: NotYetReconciled"}},
		"it is True if an optional one is missing":             {[]conditions.Part{up, optional}, metav1.Condition{Status: "True", Reason: "AsExpected"}},
		"it is True without an abnormal condition":             {[]conditions.Part{up, part("Stalled", "", "", "", abnormal)}, metav1.Condition{Status: "True", Reason: "AsExpected"}},
		"it is False with an abnormal condition":               {[]conditions.Part{up, part("Stalled", "True", "Broken", "gone", abnormal)}, metav1.Condition{Status: "False", Reason: "Broken", Message: "Stalled: gone"}},
		"it ignores neutral conditions":                        {[]conditions.Part{up, part("Paused", "True", "Wanted", "", neutral)}, metav1.Condition{Status: "True", Reason: "AsExpected"}},
		"it is Unknown for an invalid status":                  {[]conditions.Part{part("Up", "Yes", "Sure", "", good)}, metav1.Condition{Status: "Unknown", Reason: "Sure", Message: "Up: Sure"}},
		"it replaces an invalid reason":                        {[]conditions.Part{part("Up", "False", "no quota", "", good)}, metav1.Condition{Status: "False", Reason: "NoReasonReported", Message: "Up: NoReasonReported"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.want.Type = "Ready"
			if diff := conditionstest.Diff([]metav1.Condition{conditions.Summarize("Ready", c.parts...)}, []metav1.Condition{c.want}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A part that another controller writes counts, unless it is about an earlier
// spec.
func TestSummaryOfForeignParts(t *testing.T) {
	set := conditions.MustSet(conditions.Summary("Ready", "Scanned"), conditions.Positive("Scanned").OwnedBy("scanner"))
	for name, c := range map[string]struct {
		stored []metav1.Condition
		want   metav1.Condition
	}{
		"it waits for a missing condition":                  {nil, metav1.Condition{Type: "Ready", Status: "Unknown", Reason: "NotYetReconciled"}},
		"it accepts a condition of this generation":         {[]metav1.Condition{{Type: "Scanned", Status: "True", Reason: "Clean", ObservedGeneration: 1}}, metav1.Condition{Type: "Ready", Status: "True", Reason: "Clean"}},
		"it accepts a condition without a generation":       {[]metav1.Condition{{Type: "Scanned", Status: "True", Reason: "Clean"}}, metav1.Condition{Type: "Ready", Status: "True", Reason: "Clean"}},
		"it waits for a condition of an earlier generation": {[]metav1.Condition{{Type: "Scanned", Status: "True", Reason: "Clean", ObservedGeneration: 1}}, metav1.Condition{Type: "Ready", Status: "Unknown", Reason: "NewGeneration"}},
	} {
		t.Run(name, func(t *testing.T) {
			list := c.stored
			generation := int64(1)
			if c.want.Reason == "NewGeneration" {
				generation = 2
			}
			pass := set.BeginInMemory(&list, generation)
			if _, err := pass.CommitInMemory(); err != nil {
				t.Fatal(err)
			}
			conditionstest.Assert(t, list, c.want)
			if len(c.stored) == 1 && list[1] != c.stored[0] {
				t.Errorf("the part of the other was changed to %+v", list[1])
			}
		})
	}
}

func TestSummaryWithOwnReasons(t *testing.T) {
	set := conditions.MustSet(conditions.Summary("Ready", "Up").WithReasons("Ready", "NotReady", "ReadyUnknown"), conditions.Positive("Up"))
	for status, reason := range map[metav1.ConditionStatus]string{"True": "Ready", "False": "NotReady", "Unknown": "ReadyUnknown"} {
		t.Run(string(status), func(t *testing.T) {
			var list []metav1.Condition
			pass := set.BeginInMemory(&list, 1)
			pass.Set(metav1.Condition{Type: "Up", Status: status, Reason: "Part"})
			if _, err := pass.CommitInMemory(); err != nil {
				t.Fatal(err)
			}
			conditionstest.Assert(t, list, metav1.Condition{Type: "Ready", Status: status, Reason: reason})
		})
	}
}
