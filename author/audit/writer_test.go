package audit

import (
	"encoding/json"
	"testing"
)

// TestWriter determines the writer of the second of two versions by their
// managedFields.
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
	for _, c := range []struct {
		name        string
		old, latest writtenVersion
		want        string
	}{
		{"it is the manager with the new entry",
			writtenVersion{entries: user, conditions: `[]`},
			writtenVersion{entries: user + "," + lamp, conditions: dark}, "lamp"},
		{"it is the manager with the new time",
			writtenVersion{entries: user + "," + lamp + "," + meter, conditions: dark},
			writtenVersion{entries: user + "," + later + "," + meter, conditions: lit}, "lamp"},
		{"it is, of two in one second, the manager of the changed field",
			writtenVersion{entries: user + "," + lamp + "," + meter, conditions: dark},
			writtenVersion{entries: user + "," + lamp + "," + meter, conditions: meters}, "meter"},
		{"it is the other one of them",
			writtenVersion{entries: user + "," + lamp + "," + meter, conditions: dark},
			writtenVersion{entries: user + "," + lamp + "," + meter, conditions: lit}, "lamp"},
		{"it is the manager that removed its own fields",
			writtenVersion{entries: lamp + "," + meter, conditions: dark},
			writtenVersion{entries: lamp + "," + less, conditions: `[{"type":"Ready","status":"False"}]`}, "meter"},
		{"it is not known if all fields of another were removed",
			writtenVersion{entries: lamp + "," + meter, conditions: dark},
			writtenVersion{entries: lamp, conditions: `[{"type":"Ready","status":"False"}]`}, ""},
		{"it is the manager that writes a field, not the one that loses it",
			writtenVersion{entries: lamp + "," + meter, conditions: dark},
			writtenVersion{entries: later + "," + less, conditions: `[{"type":"Ready","status":"True"}]`}, "lamp"},
		{"it is the agent of the request if no entry names a manager",
			writtenVersion{conditions: dark},
			writtenVersion{conditions: lit, agent: "lamp/v1.2 (linux/amd64)"}, "lamp"},
		{"it is not known without managedFields and request",
			writtenVersion{conditions: dark},
			writtenVersion{conditions: lit}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, v := c.old.version(t), c.latest.version(t)
			if v.attribute(old); v.Manager != c.want || !v.StatusWrite {
				t.Errorf("the writer is %q, of the status: %t; want %q, true", v.Manager, v.StatusWrite, c.want)
			}
		})
	}
}

// A writtenVersion is a version of an object, described by its writers.
type writtenVersion struct {
	entries    string // of managedFields
	conditions string
	agent      string // of the request that wrote it; empty: unknown
}

func (w writtenVersion) version(t *testing.T) *Version {
	t.Helper()
	write := Write{Type: WriteModified}
	data := `{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"a","managedFields":[` + w.entries + `]},"status":{"conditions":` + w.conditions + `}}`
	if err := json.Unmarshal([]byte(data), &write.Object); err != nil {
		t.Fatal(err)
	}
	if w.agent != "" {
		write.Request = &Request{Verb: "patch", Subresource: "status", Agent: w.agent, Code: 200}
	}
	id, _ := idOf(write.Object)
	return versionOf(write, id)
}
