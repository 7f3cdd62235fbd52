package preflight

import (
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/planner"
	"kstatus.dev/clusterapi/move/plan"
)

func TestState(t *testing.T) {
	const (
		ready   = "infrastructureProvisioned: true, controlPlaneInitialized: true"
		cluster = "Cluster shop/a : {spec: {controlPlaneEndpoint: {host: h}}, status: {initialization: {%s}}}"
	)
	for _, row := range []struct{ it, object, want string }{
		{"is a Cluster that is ready", fmt.Sprintf(cluster, ready), ""},
		{"is a Cluster of v1beta1 that is ready", "Cluster shop/a : {spec: {controlPlaneEndpoint: {host: h}}, status: {infrastructureReady: true, controlPlaneReady: true}}", ""},
		{"is a Cluster without infrastructure", fmt.Sprintf(cluster, "controlPlaneInitialized: true"), "error: Cluster.cluster.x-k8s.io shop/a: its infrastructure is not provisioned yet; wait until it is ready [not-ready]"},
		{"is a Cluster without a control plane", fmt.Sprintf(cluster, "infrastructureProvisioned: true"), "its control plane is not initialized yet"},
		{"is a Cluster without an endpoint", "Cluster shop/a : {status: {initialization: {" + ready + "}}}", "it is provisioned, but spec.controlPlaneEndpoint.host is empty"},
		{"is a Machine with a Node", "Machine shop/m : {status: {nodeRef: {name: node}}}", ""},
		{"is a Machine without a Node", "Machine shop/m", "error: Machine.cluster.x-k8s.io shop/m: it has no Node yet"},
		{"is a Machine that has failed", "Machine shop/m : {status: {phase: Failed}}", "warning: Machine.cluster.x-k8s.io shop/m: it has failed"},
		{"is a Machine without a providerID", "Machine shop/m : {status: {nodeRef: {name: node}, initialization: {infrastructureProvisioned: true}}}", "spec.providerID is empty"},
		{"has block-move", "Box shop/b @clusterctl.cluster.x-k8s.io/block-move=", "info: Box.infrastructure.cluster.x-k8s.io shop/b: it has the annotation block-move"},
		{"was paused by another move", `Box shop/b : {metadata: {annotations: {kstatus.dev/pause-before: '{"by":"move other"}'}}}`, "error: Box.infrastructure.cluster.x-k8s.io shop/b: move other has paused it"},
		{"was paused by this move", `Box shop/b : {metadata: {annotations: {kstatus.dev/pause-before: '{"by":"move mine"}'}}}`, ""},
		{"was paused by a pause", `Box shop/b : {metadata: {annotations: {kstatus.dev/pause-before: '{"by":"pause"}'}}}`, ""},
		{"has a hostile record", `Box shop/b : {metadata: {annotations: {kstatus.dev/pause-before: '[[['}}}`, ""},
		{"has a hostile status", "Machine shop/m : {status: [nodeRef]}", "it has no Node yet"},
	} {
		t.Run(row.it, func(t *testing.T) {
			objects, err := clusterapitest.Parse(row.object)
			if err != nil {
				t.Fatal(err)
			}
			k := objects[0].Kind
			item := &plan.Item{Group: k.Group, Kind: k.Kind, Namespace: "shop", Name: objects[0].GetName(), Decision: plan.Move}
			inv := &planner.Inventory{Plan: &plan.Plan{Items: []*plan.Item{item}}, Objects: map[*plan.Item]*management.Object{item: objects[0]}}
			c := &Checks{Inventory: inv, Move: "mine"}
			if err := c.checkState(t.Context()); err != nil {
				t.Fatal(err)
			}
			var have []string
			for _, p := range c.problems {
				have = append(have, p.String())
			}
			if row.want == "" && len(have) > 0 || row.want != "" && (len(have) != 1 || !strings.Contains(have[0], row.want)) {
				t.Errorf("the problems are %q, want %q", have, row.want)
			}
		})
	}
}

func TestIsOlder(t *testing.T) {
	for _, row := range []struct {
		it, have, want string
		older          bool
	}{
		{"is equal", "v1.14.2", "v1.14.2", false},
		{"is older", "v1.9.9", "v1.14.2", true},
		{"is newer", "v1.15.0", "v1.14.2", false},
		{"is a candidate", "v1.14.2-rc.0", "v1.14.2", true},
		{"is no version", "latest", "v1.14.2", false},
		{"is compared with no version", "v1.14.2", "latest", false},
		{"is empty", "", "", false},
	} {
		t.Run(row.it, func(t *testing.T) {
			if older := isOlder(row.have, row.want); older != row.older {
				t.Errorf("%q is older than %q: %t", row.have, row.want, older)
			}
		})
	}
}

func TestRejection(t *testing.T) {
	item := &plan.Item{Kind: "Box", Namespace: "shop", Name: "b"}
	for _, row := range []struct{ it, message, want string }{
		{"is an error", "no boxes today", "error: Box shop/b: the target rejects it: no boxes today [admission]"},
		{"is a warning without dry runs", "admission webhook x does not support dry run", "warning: Box shop/b: the target cannot tell whether it accepts it: admission webhook x does not support dry run [admission]"},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := rejection(item, apierrors.NewBadRequest(row.message)).String(); have != row.want {
				t.Errorf("the problem is %q, want %q", have, row.want)
			}
		})
	}
}
