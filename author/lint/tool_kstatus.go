package lint

import (
	"time"

	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// kstatusTool reads an object like this project with the definition: it has the schema, and the
// times and writers of the fields.
func kstatusTool(x scenarioObject) ToolVerdict {
	now, err := time.Parse(time.RFC3339, x.readTime())
	if err != nil {
		return ToolVerdict{Output: "error", Why: err.Error()}
	}
	e := status.Evaluator{Now: func() time.Time { return now }}
	e.Expect = x.version.CRD.expectations()
	res, err := e.Compute(status.Map(x.object))
	if err != nil {
		return ToolVerdict{Output: "error", Why: err.Error(), Advice: x.advice()}
	}
	says := string(res.Status)
	if res.Confidence == status.ConfidenceAssumed && res.Status == status.CurrentStatus {
		says += " (assumed)"
	}
	return ToolVerdict{Output: says, Done: res.Status == status.CurrentStatus, Why: res.Message, Advice: x.advice()}
}

// expectations returns what the definition declares; nothing if it is malformed.
func (crd *CRD) expectations() schema.Expectations {
	work := func() schema.Expectations {
		all, err := schema.FromCRDs(crd.Raw)
		if err != nil {
			return nil
		}
		return all
	}
	if crd.siblings == nil { // created by a caller
		return work()
	}
	if !crd.siblings.hasExpectations {
		crd.siblings.hasExpectations, crd.siblings.expectations = true, work()
	}
	return crd.siblings.expectations
}
