package explain

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
)

// What runtimes say of a command that they cannot start.
var startErrors = messages.Errors{
	{[]string{"executable file not found"}, "not found in the image"},
	{[]string{"no such file or directory"}, "not found in the image"},
	{[]string{"permission denied"}, "may not be executed"},
	{[]string{"exec format error"}, "is not made for the platform of the node"},
	{[]string{"is a directory"}, "is a directory"},
	{[]string{"text file busy"}, "is busy"},
}

// notStarted tells of a container that its runtime could not start: its command
// is not there, or something else in the words of the runtime.
func (e ending) notStarted(f *found) bool {
	reason, message := e.Text(e.at+".reason"), e.Text(e.at+".message")
	if !slices.Contains([]string{"StartError", "ContainerCannotRun", "RunContainerError"}, reason) {
		return false
	}
	message = messages.Head(message)
	f.kind, f.log = "StartError", nil
	f.text = e.title() + " cannot be started"
	f.next = []string{e.pod.ID.kubectl("describe", e.pod.ID.slash())}
	if say, ok := startErrors.Find(message); ok {
		if command := messages.QuotedAfter(message, `exec: "`); command != "" {
			f.text += ": command " + show.Quoted(command) + " " + say
		}
	}
	if !strings.Contains(f.text, ": ") {
		f.text += ": " + core(message)
	}
	if e.at == "state.waiting" {
		f.evidence = []Evidence{e.evidence("state.waiting.reason")}
	}
	f.evidence = append(f.evidence, e.evidence(e.at+".message"))
	return true
}

// core returns the part of an error that tells most: what its layers say of
// themselves in front is left out.
func core(message string) string {
	for _, mark := range [...]string{"runc create failed: ", "OCI runtime create failed: ", "unable to start container process: ", "error during container init: "} {
		if i := strings.LastIndex(message, mark); i >= 0 {
			message = message[i+len(mark):]
		}
	}
	return strings.TrimSuffix(strings.TrimSpace(message), ": unknown")
}

// notCreated tells why a container is not created: for its configuration, or
// since its runtime or one of its hooks fails.
func notCreated(n *node) (all []found) {
	for c := range n.containers() {
		reason, message := c.Text("state.waiting.reason"), messages.Head(c.Text("state.waiting.message"))
		f := found{
			kind: "CreateContainerError", container: c.name,
			evidence: []Evidence{c.evidence("state.waiting.reason")},
			next:     []string{n.ID.kubectl("describe", n.ID.slash())},
		}
		if message != "" {
			f.evidence = append(f.evidence, c.evidence("state.waiting.message"))
		}
		switch reason {
		case "CreateContainerConfigError":
			if n.missingConfig(&f, message, c) || n.runsAsRoot(&f, message, c) {
				break
			}
			f.kind, f.text = "CreateContainerConfigError", c.title()+" cannot be configured: "+core(message)
		case "CreateContainerError", "PreCreateHookError", "PreStartHookError":
			f.text = c.title() + " cannot be created: " + core(message)
		case "PostStartHookError":
			f.kind, f.text = "PostStartHook", c.title()+" is ended since its postStart hook fails"
			f.evidence = append(f.evidence, firstEvent(n, "FailedPostStartHook")...)
			f.log = &LogWish{Pod: n.ID, Container: c.name}
		default:
			continue
		}
		if f.key == "" && f.kind != "ReferenceMissing" {
			f.key = n.workload() + " " + f.text
		}
		all = append(all, f)
	}
	return all
}

// firstEvent returns the latest event about an object with one of the reasons,
// as evidence; none if there is none.
func firstEvent(n *node, reasons ...string) []Evidence {
	for _, e := range n.told(reasons...) {
		return []Evidence{n.event(e)}
	}
	return nil
}

// runsAsRoot tells of a container that is not to run as root and would.
func (n *node) runsAsRoot(f *found, message string, c container) bool {
	if !strings.Contains(message, "runAsNonRoot") {
		return false
	}
	f.kind, f.text = "RunAsNonRoot", c.title()+" is not to run as root (runAsNonRoot), and its image does"
	if strings.Contains(message, "non-numeric user") {
		f.text = c.title() + " is not to run as root (runAsNonRoot), and its image names a user without a number"
	}
	if strings.Contains(message, "runAsUser breaks") {
		f.text = c.title() + " is not to run as root (runAsNonRoot), and runAsUser is 0"
	}
	if c.spec.Has("securityContext.runAsNonRoot") {
		f.evidence = append(f.evidence, c.spec.evidence("securityContext.runAsNonRoot"))
	} else {
		f.evidence = append(f.evidence, n.evidence("spec.securityContext.runAsNonRoot"))
	}
	return true
}
