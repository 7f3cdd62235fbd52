package output

import (
	"testing"

	"kstatus.dev/status"
)

func TestShortMessages(t *testing.T) {
	const late = `ReplicaSet "checkout-service-966787b57" has timed out progressing`
	pod := func(message string) *status.Parts {
		return &status.Parts{Count: 1, Kind: "Pod", Name: "checkout-service-966787b57-mcmnv", Message: message}
	}
	two := pod("container c has exited with code 3 (Error)")
	two.Count = 2
	for _, row := range []struct {
		it, own string
		parts   *status.Parts
		want    string
	}{
		{"keeps what is short", "0/1 available", nil, "0/1 available"},
		{"leaves out the name of a ReplicaSet", late, nil, "has timed out progressing"},
		{
			"begins with the image that cannot be pulled", late, pod(`ImagePullBackOff: container checkout-service: Back-off pulling image "registry.invalid/team/checkout-service:1.2.3"`),
			`ImagePullBackOff: Back-off pulling image "registry.invalid/team/checkout-service:1.2.3"; has timed out progressing`,
		},
		{
			"begins with how a container exits", "1/2 updated", pod("CrashLoopBackOff: container c exits with code 3 (1 restart)"),
			"CrashLoopBackOff: exits with code 3 (1 restart); 1/2 updated",
		},
		{"begins so for an init container", "0/1 available", pod("init container setup has exited with code 1 (Error)"), "has exited with code 1 (Error); 0/1 available"},
		{
			"begins with what the nodes lack", late, pod("0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available"),
			"0/3 nodes: 3 Insufficient cpu. preemption: 0/3 nodes are available; has timed out progressing",
		},
		{"tells of several Pods what it tells of one", "0/2 ready", two, "has exited with code 3 (Error); 0/2 ready"},
		{"needs no message of the object", "", pod("waiting"), "waiting"},
	} {
		if have := ShortMessage(row.own, row.parts); have != row.want {
			t.Errorf("it %s: have %q, want %q", row.it, have, row.want)
		}
	}
}
