package audit

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// metrics holds the metrics of all objects and kinds of a stream.
type metrics struct {
	Objects []ObjectMetrics
	Kinds   []KindMetrics
}

func metricsOf(t *testing.T, stream string) metrics {
	t.Helper()
	a := New(Options{})
	for _, w := range parseStream(t, stream) {
		a.Add(w)
	}
	return metrics{a.ObjectMetrics(), a.KindMetrics()}
}

func TestMetricsOfAnObject(t *testing.T) {
	const begin = "+0s create kubectl {\"spec\":{\"color\":\"red\"}}\n+1s status lamp og=1 Ready=False/Ordered\n+4s status lamp og=1 Ready=True/On\n"
	seconds := func(n float64) *float64 { return &n }
	for _, c := range []struct {
		name, stream string
		want         ObjectMetrics
	}{
		{"it counts from the creation to the end of the convergence", begin,
			ObjectMetrics{SecondsToStatus: seconds(1), SecondsToReady: seconds(5), Convergences: 1, WritesByConvergence: 2, MostByConvergence: 2}},
		{"it counts each generation", begin + "+1h spec kubectl {\"spec\":{\"color\":\"blue\"}}\n+1s status lamp og=2 Ready=True/On\n",
			ObjectMetrics{SecondsToStatus: seconds(1), SecondsToReady: seconds(5), Convergences: 2, WritesByConvergence: 3, MostByConvergence: 2, IdleSeconds: 3600}},
		{"it counts a finalizer as a write", "+0s create kubectl\n+1s status lamp og=1 Ready=False/Ordered\n+1s spec lamp {\"metadata\":{\"finalizers\":[\"a/b\"]}}\n+1s status lamp og=1 Ready=True/On\n",
			ObjectMetrics{SecondsToStatus: seconds(1), SecondsToReady: seconds(3), Convergences: 1, WritesByConvergence: 3, MostByConvergence: 3}},
		{"it counts a providerID as a write", "+0s create kubectl\n+1s status lamp og=1 Ready=False/Ordered\n+1s spec lamp {\"spec\":{\"providerID\":\"lamp://1\"}}\n+1s status lamp og=2 Ready=True/On\n",
			ObjectMetrics{SecondsToStatus: seconds(1), SecondsToReady: seconds(3), Convergences: 1, WritesByConvergence: 3, MostByConvergence: 3}},
		{"it does not count a user's label as a write", begin + "+2h spec kubectl {\"metadata\":{\"labels\":{\"a\":\"b\"}}}\n",
			ObjectMetrics{SecondsToStatus: seconds(1), SecondsToReady: seconds(5), Convergences: 1, WritesByConvergence: 2, MostByConvergence: 2, IdleSeconds: 7200}},
		{"it counts writes while the object is idle", begin + "+1h status lamp {\"status\":{\"watt\":5}}\n+3h status lamp {\"status\":{\"watt\":6}}\n",
			ObjectMetrics{SecondsToStatus: seconds(1), SecondsToReady: seconds(5), Convergences: 1, WritesByConvergence: 2, MostByConvergence: 2, IdleSeconds: 4 * 3600, IdleWrites: 2, WritesPerIdleHour: 0.5}},
		{"it has no rate for less than an idle hour", begin + "+1m status lamp {\"status\":{\"watt\":5}}\n",
			ObjectMetrics{SecondsToStatus: seconds(1), SecondsToReady: seconds(5), Convergences: 1, WritesByConvergence: 2, MostByConvergence: 2, IdleSeconds: 60, IdleWrites: 1, WritesPerIdleHour: 1}},
		{"it is not idle while it recovers", begin + "+1m status lamp og=1 Ready=False/Burnt\n+1h status lamp og=1 Ready=True/On\n+1m tick\n",
			ObjectMetrics{SecondsToStatus: seconds(1), SecondsToReady: seconds(5), Convergences: 1, WritesByConvergence: 2, MostByConvergence: 2, IdleSeconds: 120}},
		{"it does not count a convergence whose start was not seen", "+0s existing {\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\"}]}}\n+1h status lamp og=1 Ready=True/On\n+1h gap\n+1s existing\n+59m59s tick\n",
			ObjectMetrics{IdleSeconds: 2*3600 - 1}},
		{"it does not count defaults of the server as a status", "+0s create kubectl {\"status\":{\"replicas\":0}}\n+3s status lamp og=1 Ready=True/On\n",
			ObjectMetrics{SecondsToStatus: seconds(3), SecondsToReady: seconds(3), Convergences: 1, WritesByConvergence: 1, MostByConvergence: 1}},
		{"it counts requests by their result", "+0s create kubectl request=201,create\n+1s status lamp request=200,patch og=1 Ready=True/On\n+1h asks lamp request=200,patch subresource=status\n+1s asks lamp request=409,update\n",
			ObjectMetrics{SecondsToStatus: seconds(1), SecondsToReady: seconds(1), Convergences: 1, WritesByConvergence: 1, MostByConvergence: 1, IdleSeconds: 3601, Requests: 4, NoOps: 1, Refused: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := metricsOf(t, c.stream)
			if len(m.Objects) != 1 {
				t.Fatalf("metrics of %d objects, want one", len(m.Objects))
			}
			m.Objects[0].Object = ID{}
			if have, _ := json.Marshal(m.Objects[0]); !reflect.DeepEqual(m.Objects[0], c.want) {
				want, _ := json.Marshal(c.want)
				t.Errorf("have %s\nwant %s", have, want)
			}
		})
	}
}

func TestMetricsOfAKind(t *testing.T) {
	m := metricsOf(t, `
+0s a:create kubectl
+0s b:create kubectl
+0s c:create kubectl
+1s a:status lamp og=1 Ready=True/On
+1s b:status lamp og=1 Ready=True/On
+7s c:status lamp og=1 Ready=False/Ordered
+1s c:status lamp og=1 Ready=True/On
+2h a:delete lamp
+0s cm:create kubectl {"kind":"ConfigMap","apiVersion":"v1","metadata":{"generation":null}}
+0s shade:create kubectl {"kind":"Shade"}
+0s bulb:existing {"kind":"Bulb","status":{"observedGeneration":1}}
+1s tick
`)
	want := []KindMetrics{{Group: "example.com", Kind: "Bulb", WritesPerIdleHour: Quantiles{N: 1}}, {Group: "example.com", Kind: "Lamp", SecondsToStatus: Quantiles{3, 2, 9, 9, 9}, SecondsToReady: Quantiles{3, 2, 10, 10, 10},
		WritesPerConvergence: Quantiles{3, 1, 2, 2, 2}, WritesPerIdleHour: Quantiles{3, 0, 0, 0, 0}}}
	if !reflect.DeepEqual(m.Kinds, want) || len(m.Objects) != 3 {
		t.Errorf("have %+v of %d objects\nwant %+v of 3", m.Kinds, len(m.Objects), want)
	}
}

func TestSampleIsBounded(t *testing.T) {
	var s sample
	for i := range 100_000 {
		s.add(float64(i))
	}
	q := s.quantiles()
	if len(s.values) > maxSampleSize || q.N != 100_000 || q.Max != 99_999 {
		t.Errorf("%d are kept, %+v", len(s.values), q)
	}
	if q.P50 < 49_000 || q.P50 > 51_000 || q.P99 < 98_000 {
		t.Errorf("the quantiles are %+v", q)
	}
}

// TestBudgetsAreReportedOnce checks that an exceeded time is reported once, although
// the object stays late.
func TestBudgetsAreReportedOnce(t *testing.T) {
	a := New(Options{Budgets: map[Measure]float64{MeasureTimeToFirstStatus: 1, MeasureTimeToReady: 2}})
	for _, w := range parseStream(t, "+0s create kubectl\n+500ms status lamp og=1 Ready=False/Off\n+9s status lamp og=1 Ready=False/Off/more\n+9s status lamp og=1 Ready=True/On\n") {
		a.Add(w)
	}
	found := a.Findings()
	if len(found) != 1 || found[0].Path != string(MeasureTimeToReady) || found[0].Count != 1 {
		t.Fatalf("found %+v, want one of %s", found, MeasureTimeToReady)
	}
	if at := time.Date(2026, 1, 1, 0, 0, 2, 0, time.UTC); found[0].First.Sub(at) > time.Millisecond || found[0].First.Before(at) {
		t.Errorf("told at %s, want %s", found[0].First, at)
	}
}
