package explain

import "kstatus.dev/explain/internal/show"

// nodeTrouble tells why a node takes no Pods: its kubelet is silent, or says
// that it is not ready, and what it is short of.
func nodeTrouble(n *node) (all []found) {
	ready := n.condition("Ready")
	switch ready.Text("status") {
	case "Unknown":
		f := found{kind: "NodeSilent", text: "the kubelet of node " + n.ID.Name + " is silent", evidence: ready.conditionEvidence()}
		if at := ready.Text("lastHeartbeatTime"); at != "" {
			f.text += " since " + at
			f.evidence = append(f.evidence, ready.evidence("lastHeartbeatTime"))
		}
		all = append(all, n.tainted(f))
	case "False":
		all = append(all, n.tainted(found{kind: "NodeNotReady", text: "node " + n.ID.Name + " is not ready: " + ready.says(), evidence: ready.conditionEvidence()}))
	}
	for _, is := range [...]string{"MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"} {
		if c := n.condition(is); c.Text("status") == "True" {
			all = append(all, found{kind: "NodePressure", text: "node " + n.ID.Name + " has " + is + ": " + c.says(), evidence: c.conditionEvidence()})
		}
	}
	return all
}

func (n *node) tainted(f found) found {
	f.next = []string{n.everywhere("describe node " + show.Line(n.ID.Name))}
	for t := range n.Each("spec.taints") {
		if len(f.evidence) < 6 {
			f.evidence = append(f.evidence, Evidence{From: FromSpec, Object: n.ID, Path: "." + t.Path[:len(t.Path)-1], Value: show.Value(t.Get("effect"))})
		}
	}
	return f
}
