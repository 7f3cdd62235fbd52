package cloud_test

import (
	"strings"
	"testing"

	"kstatus.dev/examples/openstack/cloud"
	"kstatus.dev/test/openstack/fakestack/calls"
)

// A server that a lost request has created is used, unless the spec has changed since.
func TestServerOfAnotherSpec(t *testing.T) {
	b := &build{world: newWorld(t, fast)}
	b.until("a build", b.all)
	same := cloud.MachineSpec{Image: cloud.Filter{ID: b.prepared.Image}, Flavor: cloud.Filter{Name: calls.FlavorName}, Network: b.network}
	for name, test := range map[string]struct {
		change  func(*cloud.Resolved)
		message string // of the failure; empty for none
	}{
		"the same spec":  {change: func(*cloud.Resolved) {}},
		"another image":  {change: func(r *cloud.Resolved) { r.Image = "other" }, message: "has the image " + b.prepared.Image},
		"another flavor": {change: func(r *cloud.Resolved) { r.FlavorName = calls.TooLargeName }, message: "has the flavor " + calls.FlavorName},
	} {
		t.Run(name, func(t *testing.T) {
			resolved, err := b.c.ResolveMachine(t.Context(), same)
			if err != nil {
				t.Fatal(err)
			}
			test.change(&resolved)
			s, err := b.c.EnsureServer(t.Context(), owner, "cp-0", resolved, nil, nil)
			if test.message == "" {
				if err != nil || s == nil {
					t.Fatalf("server %v, error %v; want the server", s, err)
				}
				return
			}
			f := b.wantReason(name, err, "Conflict")
			if s != nil || !strings.Contains(f.Message, test.message) {
				t.Errorf("server %v, message %q; want none and %q", s, f.Message, test.message)
			}
		})
	}
}
