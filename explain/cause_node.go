package explain

import (
	"cmp"

	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/show"
)

// nodeTrouble finds what is wrong with a node: its kubelet is silent, it is not ready, or
// it lacks a resource.
func nodeTrouble(o *object) (all []finding) {
	ready := o.condition("Ready")
	switch ready.Text("status") {
	case "Unknown":
		f := finding{kind: "NodeSilent", text: "the kubelet of node " + o.ID.Name + " stopped reporting", evidence: ready.conditionEvidence()}
		if at := ready.Text("lastHeartbeatTime"); at != "" {
			f.text += " at " + at
			f.evidence = append(f.evidence, ready.evidence("lastHeartbeatTime"))
		}
		all = append(all, o.addTaint(f))
	case "False":
		all = append(all, o.addTaint(finding{kind: "NodeNotReady", text: "node " + o.ID.Name + " is not ready: " + ready.conditionText(), evidence: ready.conditionEvidence()}))
	}
	for _, is := range [...]string{"MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"} {
		if c := o.condition(is); c.Text("status") == "True" {
			all = append(all, finding{kind: "NodePressure", text: "node " + o.ID.Name + " has " + is + ": " + c.conditionText(), evidence: c.conditionEvidence()})
		}
	}
	return all
}

func (o *object) addTaint(f finding) finding {
	f.next = []string{commandForAll(o.ID, "describe", "node", kubectl.Name(o.ID.Name))}
	for t := range o.Each("spec.taints") {
		if len(f.evidence) < 6 {
			f.evidence = append(f.evidence, Evidence{From: OriginSpec, Object: o.ID, Path: "." + t.Path[:len(t.Path)-1], Value: cmp.Or(show.Line(t.Text("effect")), "no effect")})
		}
	}
	return f
}
