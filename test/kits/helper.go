package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// helper is a kit, used as its own documentation describes. It gets the object as read and the
// results of the controller, and reports them. It requests another call where its documentation
// makes the controller return.
type helper struct {
	name   string
	module string
	report func(ctx context.Context, c client.Client, s *Server, f facts) (again bool, err error)
}

// helpers are the compared kits.
var helpers = []helper{
	{"kstatus", "kstatus.dev/kube", ours},
	{"apimachinery", "k8s.io/apimachinery", apimachinery},
	{"Cluster API", "sigs.k8s.io/cluster-api", clusterAPI},
	{"Flux", "github.com/fluxcd/pkg/runtime", flux},
}

// isPaused reports whether the controller must leave the object alone.
func isPaused(s *Server) bool { _, there := s.Annotations["cluster.x-k8s.io/paused"]; return there }

// rest sets the fields of the status that are not conditions.
func (f facts) rest(s *Server) {
	if f.provisioned {
		yes := true
		s.Status.Initialization = &Initialization{Provisioned: &yes}
	}
	s.Status.Addresses = f.addresses
}

// readyOf computes Ready by hand, for kits without summaries.
func readyOf(s *Server) metav1.Condition {
	c := metav1.Condition{Type: ready, Status: metav1.ConditionTrue, Reason: "AsExpected"}
	for _, part := range []struct {
		typ  string
		good metav1.ConditionStatus
	}{{serverUp, metav1.ConditionTrue}, {degraded, metav1.ConditionFalse}} {
		have := s.condition(part.typ)
		switch {
		case have.Status == part.good, c.Status == metav1.ConditionFalse:
		case have.Status == "" || have.Status == metav1.ConditionUnknown:
			c.Status, c.Reason, c.Message = metav1.ConditionUnknown, "NotKnown", part.typ
		default:
			c.Status, c.Reason, c.Message = metav1.ConditionFalse, have.Reason, have.Message
		}
	}
	return c
}
