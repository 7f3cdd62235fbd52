package explain

import "fmt"

// crashLoop tells how a container ends again and again.
func crashLoop(n *node) (all []found) {
	for c := range n.containers() {
		if c.text("state.waiting.reason") != "CrashLoopBackOff" {
			continue
		}
		last := "lastState.terminated."
		f := found{
			kind: "CrashLoop", text: fmt.Sprintf("%s exits with code %d", c.title(), c.whole(last+"exitCode", 0)), container: c.name,
			evidence: []Evidence{c.evidence(last + "exitCode"), c.evidence("restartCount")},
			log:      &LogWish{Pod: n.ID, Container: c.name, Previous: true},
			next:     []string{fmt.Sprintf("kubectl -n %s logs %s -c %s --previous", n.ID.Namespace, n.ID.Name, c.name)},
		}
		if c.text(last+"reason") == "OOMKilled" {
			f.kind, f.text = "OutOfMemory", c.title()+" is killed for using more memory than its limit"
			f.evidence = append(f.evidence, c.spec.evidence("resources.limits.memory"))
		}
		f.key = n.workload() + f.text
		for _, e := range n.told("BackOff") {
			f.evidence = append(f.evidence, n.event(e))
			break
		}
		all = append(all, f)
	}
	return all
}
