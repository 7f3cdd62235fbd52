package explain

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
)

// The errors of runtimes that cannot start a command.
var startErrors = messages.Errors{
	{[]string{"executable file not found"}, "not found in the image"},
	{[]string{"no such file or directory"}, "not found in the image"},
	{[]string{"permission denied"}, "is not executable"},
	{[]string{"exec format error"}, "is not built for the platform of the node"},
	{[]string{"is a directory"}, "is a directory"},
	{[]string{"text file busy"}, "is busy"},
}

// addStartError explains why the runtime could not start a container: its command does not
// exist, or the runtime reports another error.
func (e termination) addStartError(f *finding) bool {
	reason, message := e.Text(e.at+".reason"), e.Text(e.at+".message")
	if !slices.Contains([]string{"StartError", "ContainerCannotRun", "RunContainerError"}, reason) {
		return false
	}
	message = messages.Head(message)
	f.kind, f.log = "StartError", nil
	f.text = e.title() + " cannot be started"
	f.next = []string{commandFor(e.pod.ID, "describe", slash(e.pod.ID))}
	if say, ok := startErrors.Find(message); ok {
		if command := messages.QuotedAfter(message, `exec: "`); command != "" {
			f.text += ": command " + show.Quoted(command) + " " + say
		}
	}
	if !strings.Contains(f.text, ": ") {
		f.text += ": " + innermostError(message)
	}
	if e.at == "state.waiting" {
		f.evidence = []Evidence{e.evidence("state.waiting.reason")}
	}
	f.evidence = append(f.evidence, e.evidence(e.at+".message"))
	return true
}

// innermostError returns the cause in an error of a runtime, without the texts of the
// outer layers.
func innermostError(message string) string {
	for _, mark := range [...]string{"runc create failed: ", "OCI runtime create failed: ", "unable to start container process: ", "error during container init: "} {
		if i := strings.LastIndex(message, mark); i >= 0 {
			message = message[i+len(mark):]
		}
	}
	return strings.TrimSuffix(strings.TrimSpace(message), ": unknown")
}

// containerNotCreated finds why a container is not created: its configuration is not valid, or its
// runtime or a lifecycle hook fails.
func containerNotCreated(o *object) (all []finding) {
	for c := range o.containers() {
		reason, message := c.Text("state.waiting.reason"), messages.Head(c.Text("state.waiting.message"))
		f := finding{
			kind: "CreateContainerError", container: c.name,
			evidence: []Evidence{c.evidence("state.waiting.reason")},
			next:     []string{commandFor(o.ID, "describe", slash(o.ID))},
			weak:     message == "",
		}
		if message != "" {
			f.evidence = append(f.evidence, c.evidence("state.waiting.message"))
		}
		switch reason {
		case "CreateContainerConfigError":
			if o.missingConfig(&f, message, c) || o.runsAsRoot(&f, message, c) {
				break
			}
			f.kind, f.text = "CreateContainerConfigError", c.title()+" cannot be configured: "+innermostError(message)
		case "CreateContainerError", "PreCreateHookError", "PreStartHookError":
			f.text = c.title() + " cannot be created: " + innermostError(message)
		case "PostStartHookError":
			f.kind, f.text = "PostStartHook", c.title()+" is terminated because its postStart hook fails"
			f.evidence = append(f.evidence, firstEvent(o, "FailedPostStartHook")...)
			f.log = &LogID{Pod: o.ID, Container: c.name}
		default:
			e, failed := c.creationFailure()
			if message := strings.TrimPrefix(messages.Head(e.Message), "Error: "); !failed || !o.missingConfig(&f, message, c) && !o.runsAsRoot(&f, message, c) {
				continue
			}
			f.weak, f.evidence = false, append(f.evidence, o.eventEvidence(e))
		}
		if f.key == "" && f.kind != "ReferenceMissing" {
			f.key = o.workload() + " " + f.text
		}
		all = append(all, f)
	}
	return all
}

// creationFailure returns the latest event that a container could not be created. The kubelet sends
// it before it writes the status.
func (c container) creationFailure() (e Event, failed bool) {
	if !c.isCreating() {
		return e, false
	}
	failures := slices.DeleteFunc(c.events("Failed"), func(e Event) bool { return !strings.HasPrefix(e.Message, "Error: ") })
	if len(failures) == 0 {
		return e, false
	}
	created := c.events("Created", "Started")
	return failures[0], len(created) == 0 || created[0].Last.Before(failures[0].Last)
}

// isCreating reports whether the status only says that the container is being created.
func (c container) isCreating() bool {
	reason := c.Text("state.waiting.reason")
	return reason == "ContainerCreating" || reason == "PodInitializing"
}

// firstEvent returns the latest event about an object with one of the reasons as
// evidence, or nil.
func firstEvent(o *object, reasons ...string) []Evidence {
	for _, e := range o.eventsWith(reasons...) {
		return []Evidence{o.eventEvidence(e)}
	}
	return nil
}

// runsAsRoot explains that a container with runAsNonRoot has an image that runs as root.
func (o *object) runsAsRoot(f *finding, message string, c container) bool {
	if !strings.Contains(message, "runAsNonRoot") {
		return false
	}
	f.kind, f.text = "RunAsNonRoot", c.title()+" must not run as root (runAsNonRoot), but its image does"
	if strings.Contains(message, "non-numeric user") {
		f.text = c.title() + " must not run as root (runAsNonRoot), but its image has a non-numeric user"
	}
	if strings.Contains(message, "runAsUser breaks") {
		f.text = c.title() + " must not run as root (runAsNonRoot), but runAsUser is 0"
	}
	if c.spec.Has("securityContext.runAsNonRoot") {
		f.evidence = append(f.evidence, c.spec.evidence("securityContext.runAsNonRoot"))
	} else {
		f.evidence = append(f.evidence, o.evidence("spec.securityContext.runAsNonRoot"))
	}
	return true
}
