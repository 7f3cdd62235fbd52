package lint

import (
	"time"

	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// ours reads an object as this project does, with the definition at hand: it
// knows what the schema promises, and when the object was written by whom.
func ours(x scenario) Reading {
	now, err := time.Parse(time.RFC3339, x.at())
	if err != nil {
		return Reading{Says: "error", Why: err.Error()}
	}
	e := status.Evaluator{Now: func() time.Time { return now }}
	expect, err := schema.FromCRDs(x.version.CRD.Raw)
	if err == nil {
		e.Expect = expect
	}
	res, err := e.Compute(status.Map(x.object))
	if err != nil {
		return Reading{Says: "error", Why: err.Error(), Helps: x.helps()}
	}
	says := string(res.Status)
	if res.Confidence == status.ConfidenceAssumed && res.Status == status.CurrentStatus {
		says += " (assumed)"
	}
	return Reading{Says: says, Done: res.Status == status.CurrentStatus, Why: res.Message, Helps: x.helps()}
}
