package explain

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"kstatus.dev/status"
)

// TestFactLines checks that the line of an object has its identity and its verdict, and
// that lines of earlier releases can be read.
func TestFactLines(t *testing.T) {
	const (
		head     = `{"type":"facts"}` + "\n"
		nodeLine = `{"type":"thing","thing":{"id":{"group":"","kind":"Node","namespace":"","name":"a"},` +
			`"result":{"status":"Unknown","reason":"Forbidden","message":"no","confidence":"explicit","rule":""}}}` + "\n"
		podLine = `{"type":"thing","thing":{"id":{"group":"","kind":"Pod","namespace":"shop","name":"b"},` +
			`"result":{"status":"InProgress","reason":"Gated","message":"held","confidence":"strong","rule":"kind","warnings":["odd"],` +
			`"failure":"recoverable","suspended":"imposed"},"reads":[{"path":"status.phase","value":"Pending"}]}}` + "\n"
	)
	node := ObjectFact{
		ID:     status.ID{Kind: status.Kind{Kind: "Node"}, Name: "a"},
		Result: status.Result{Status: status.UnknownStatus, Reason: "Forbidden", Message: "no", Confidence: status.ConfidenceExplicit},
	}
	pod := ObjectFact{
		ID: status.ID{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "b"},
		Result: status.Result{
			Status: status.InProgressStatus, Reason: "Gated", Message: "held", Failure: status.FailureRecoverable, Suspended: status.SuspendedByController,
			Confidence: status.ConfidenceStrong, Rule: "kind", Warnings: []string{"odd"},
		},
		Reads: []status.Read{{Path: "status.phase", Value: "Pending"}},
	}
	for _, c := range []struct {
		name, line string
		thing      ObjectFact
	}{
		{"an empty namespace, no empty failure", nodeLine, node},
		{"all fields of a verdict", podLine, pod},
	} {
		t.Run("it writes "+c.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := (&Facts{Objects: []ObjectFact{c.thing}}).Encode(&out); err != nil {
				t.Fatal(err)
			}
			if out.String() != head+c.line {
				t.Errorf("have %s\nwant %s", out.String(), head+c.line)
			}
		})
	}
	for _, c := range []struct {
		name, line string
		thing      ObjectFact
	}{
		{"an empty namespace", nodeLine, node},
		{"a line without a namespace", strings.Replace(nodeLine, `"namespace":"",`, "", 1), node},
		{"all fields of a verdict", podLine, pod},
	} {
		t.Run("it reads "+c.name, func(t *testing.T) {
			f, err := DecodeFacts(strings.NewReader(c.line))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(f.Objects, []ObjectFact{c.thing}) {
				t.Errorf("have %+v\nwant %+v", f.Objects, c.thing)
			}
		})
	}
}
