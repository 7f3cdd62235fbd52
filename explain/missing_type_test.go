package explain

import (
	"slices"
	"testing"

	"kstatus.dev/status"
)

// If the server does not have the TYPE of a requested object, the cause is the type and not the
// object.
func TestUnknownType(t *testing.T) {
	id := status.ID{Kind: status.Kind{Kind: "foo"}, Namespace: "shop", Name: "x"}
	const message = `the server has no resource type "foo"`
	unknown := ObjectFact{ID: id, Result: status.Result{Status: status.NotFoundStatus, Reason: "NeverSeen", Message: message}}
	e := Explain(&Facts{Objects: []ObjectFact{unknown}, Now: caseNow}, id)
	if len(e.Causes) != 1 || e.Causes[0].Kind != "KindNotServed" || e.Causes[0].Text != message || !slices.Equal(e.Causes[0].Next, []string{"kubectl api-resources"}) {
		t.Errorf("have %+v", e.Causes)
	}
}
