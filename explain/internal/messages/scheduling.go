package messages

import (
	"strconv"
	"strings"
)

// A Scheduling is the scheduler's report about the nodes on which a Pod does not fit.
type Scheduling struct {
	Nodes   string       // the number of nodes in the cluster
	Reasons []NodeReason // in the order of the message
	Other   string       // the text of a message without reasons by node
}

// A NodeReason is a reason why some nodes do not fit.
type NodeReason struct {
	Count int64  // of nodes
	Words string // of the scheduler
}

// ParseScheduling parses a message of a scheduler such as
//
//	0/6 nodes are available: 2 Insufficient cpu, 4 node(s) had untolerated taint {a: b}. preemption: ...
//
// It ignores the part about preemption, which follows from the rest. It returns false if
// the message has another form.
func ParseScheduling(message string) (s Scheduling, ok bool) {
	message = Head(message)
	head, rest, ok := strings.Cut(message, " nodes are available:")
	if !ok {
		return s, false
	}
	fitting, nodes, ok := strings.Cut(head, "/")
	if _, err := strconv.Atoi(nodes); !ok || err != nil || fitting != "0" {
		return s, false
	}
	s.Nodes = nodes
	for _, mark := range [...]string{"preemption: ", "no new claims to deallocate", "still not schedulable"} {
		if i := strings.Index(rest, " "+mark); i >= 0 {
			rest = rest[:i]
		}
	}
	rest = strings.TrimSuffix(strings.TrimRight(strings.TrimSpace(rest), ","), ".")
	for _, piece := range splitReasons(rest) {
		number, words, _ := strings.Cut(piece, " ")
		count, err := strconv.ParseInt(number, 10, 64)
		if err != nil || words == "" {
			return Scheduling{Nodes: nodes, Other: rest}, true
		}
		s.Reasons = append(s.Reasons, NodeReason{count, words})
	}
	return s, true
}

// splitReasons splits before each ", " that a number follows, because reasons may contain
// commas.
func splitReasons(text string) (all []string) {
	start := 0
	for i := 0; i+2 < len(text); i++ {
		if text[i] == ',' && text[i+1] == ' ' && text[i+2] >= '0' && text[i+2] <= '9' {
			all = append(all, text[start:i])
			start = i + 2
		}
	}
	if start < len(text) {
		all = append(all, text[start:])
	}
	return all
}

// Explain returns the meaning of a reason, and the field of a Pod that it is about.
func (r NodeReason) Explain() (meaning, field string) {
	if resource, ok := strings.CutPrefix(r.Words, "Insufficient "); ok {
		return "with insufficient " + resource, "requests " + resource
	}
	for _, start := range [...]string{"node(s) had untolerated taint {", "node(s) had taint {"} {
		if taint, ok := Between(r.Words+"}", start, "}"); ok {
			taint = strings.TrimSuffix(strings.Replace(taint, ": ", "=", 1), "=")
			return "with taint " + taint + ", which it does not tolerate", "taint"
		}
	}
	for _, known := range nodeReasons {
		if strings.HasPrefix(r.Words, known.words) {
			return known.meaning, known.field
		}
	}
	return strings.TrimPrefix(r.Words, "node(s) "), ""
}

// HidesTaint reports whether a reason is about a taint that it does not name.
func (r NodeReason) HidesTaint() bool {
	return strings.HasPrefix(r.Words, "node(s) had untolerated taint(s)") || strings.HasPrefix(r.Words, "node(s) had taints that the pod didn't tolerate")
}

// The reasons of the scheduler by their first words, with their meanings and the fields
// of a Pod that they are about.
var nodeReasons = []struct{ words, meaning, field string }{
	{"node(s) didn't match Pod's node affinity/selector", "not matching its node selector or affinity", "selector"},
	{"node(s) didn't satisfy plugin(s) [NodeAffinity]", "not matching its node selector or affinity", "selector"},
	{"node(s) didn't match node selector", "not matching its node selector or affinity", "selector"},
	{"node(s) had untolerated taint(s)", "with a taint that it does not tolerate", "taint"},
	{"node(s) had taints that the pod didn't tolerate", "with a taint that it does not tolerate", "taint"},
	{"node(s) were unschedulable", "cordoned", ""},
	{"node(s) were not ready", "not ready", ""},
	{"node(s) had unknown conditions", "with unknown conditions", ""},
	{"Too many pods", "at their maximum number of Pods", ""},
	{"node(s) didn't have free ports for the requested pod ports", "with its host port in use", "ports"},
	{"node(s) didn't match pod topology spread constraints (missing required label)", "without the label of its topology spread constraints", "spread"},
	{"node(s) didn't match pod topology spread constraints", "excluded by its topology spread constraints", "spread"},
	{"node(s) didn't match pod affinity rules", "not matching its Pod affinity", "affinity"},
	{"node(s) didn't match pod anti-affinity rules", "excluded by its Pod anti-affinity", "affinity"},
	{"node(s) didn't satisfy existing pods anti-affinity rules", "excluded by the anti-affinity of running Pods", ""},
	{"node(s) didn't match PersistentVolume's node affinity", "excluded by the node affinity of its volume", "claims"},
	{"node(s) had volume node affinity conflict", "excluded by the node affinity of its volume", "claims"},
	{"node(s) had no available volume zone", "not in the zone of its volume", "claims"},
	{"node(s) didn't find available persistent volumes to bind", "without a volume for its claims", "claims"},
	{"node(s) did not have enough free storage", "with insufficient free storage for its claims", "claims"},
	{"node(s) exceed max volume count", "at their maximum number of volumes", "claims"},
	{"node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)", "excluded because a claim is bound to a volume that does not exist", "claims"},
	{"node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use", "excluded because another Pod uses its ReadWriteOncePod claim", "claims"},
	{"node(s) didn't match the requested node name", "not matching the requested node name", ""},
	{"cannot allocate all claims", "without the devices that it claims", "devices"},
}
