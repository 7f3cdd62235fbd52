package audit

import (
	"encoding/json"
	"testing"
)

// TestWriter finds who made the second of two versions by their managedFields.
func TestWriter(t *testing.T) {
	const (
		user   = `{"manager":"kubectl","operation":"Update","time":"2026-01-01T00:00:00Z","fieldsV1":{"f:spec":{"f:color":{}}}}`
		lamp   = `{"manager":"lamp","operation":"Update","subresource":"status","time":"2026-01-01T00:00:05Z","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{}}}}}`
		meter  = `{"manager":"meter","operation":"Update","subresource":"status","time":"2026-01-01T00:00:05Z","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"Metered\"}":{}}}}}`
		later  = `{"manager":"lamp","operation":"Update","subresource":"status","time":"2026-01-01T00:00:06Z","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{}}}}}`
		less   = `{"manager":"meter","operation":"Update","subresource":"status","time":"2026-01-01T00:00:05Z","fieldsV1":{"f:status":{"f:conditions":{}}}}`
		dark   = `[{"type":"Ready","status":"False"},{"type":"Metered","status":"False"}]`
		lit    = `[{"type":"Ready","status":"True"},{"type":"Metered","status":"False"}]`
		meters = `[{"type":"Ready","status":"False"},{"type":"Metered","status":"True"}]`
	)
	for _, c := range []struct{ name, before, was, after, is, request, want string }{
		{"it is the one whose entry is new", user, `[]`, user + "," + lamp, dark, "", "lamp"},
		{"it is the one whose time is new", user + "," + lamp + "," + meter, dark, user + "," + later + "," + meter, lit, "", "lamp"},
		{"it is, of two in one second, the one who has what changed", user + "," + lamp + "," + meter, dark, user + "," + lamp + "," + meter, meters, "", "meter"},
		{"it is the other one of them", user + "," + lamp + "," + meter, dark, user + "," + lamp + "," + meter, lit, "", "lamp"},
		{"it is the one who took its own away", lamp + "," + meter, dark, lamp + "," + less, `[{"type":"Ready","status":"False"}]`, "", "meter"},
		{"it is not known who took all of another's away", lamp + "," + meter, dark, lamp, `[{"type":"Ready","status":"False"}]`, "", ""},
		{"it is the one who writes, not the one who loses a field", lamp + "," + meter, dark, later + "," + less, `[{"type":"Ready","status":"True"}]`, "", "lamp"},
		{"it is the agent of the request if nobody is named", "", dark, "", lit, "lamp/v1.2 (linux/amd64)", "lamp"},
		{"it is not known without managedFields and request", "", dark, "", lit, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, v := written(t, c.before, c.was, ""), written(t, c.after, c.is, c.request)
			if v.attribute(old); v.Manager != c.want || !v.StatusWrite {
				t.Errorf("the writer is %q, of the status: %t; want %q, true", v.Manager, v.StatusWrite, c.want)
			}
		})
	}
}

func written(t *testing.T, entries, conditions, agent string) *Version {
	t.Helper()
	w := Write{Type: Modified}
	data := `{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"a","managedFields":[` + entries + `]},"status":{"conditions":` + conditions + `}}`
	if err := json.Unmarshal([]byte(data), &w.Object); err != nil {
		t.Fatal(err)
	}
	if agent != "" {
		w.Request = &Request{Verb: "patch", Subresource: "status", Agent: agent, Code: 200}
	}
	id, _ := idOf(w.Object)
	return versionOf(w, id)
}
