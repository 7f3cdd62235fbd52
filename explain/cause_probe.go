package explain

import (
	"fmt"
	"strings"
	"time"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
)

// The kinds of causes by probe.
var probeKinds = map[string]string{"liveness": "LivenessProbe", "readiness": "ReadinessProbe", "startup": "StartupProbe"}

// clockSlack is the tolerated difference between two times of the same event: some times
// are rounded, and clocks differ.
const clockSlack = 2 * time.Second

// containerNotReady finds which probe a running container has not passed, and how it fails. The
// status shows which probe, and events show how.
func containerNotReady(o *object) (all []finding) {
	if o.Text("status.phase") != "Running" && o.Text("status.phase") != "Pending" {
		return nil
	}
	for c := range o.containers() {
		if !c.Has("state.running") || c.terminatedAt() != "" || !c.Has("ready") || c.Is("ready") {
			continue
		}
		switch {
		case c.noun == "init container":
			all = append(all, c.initializing())
		case c.Has("started") && !c.Is("started") && c.spec.Has("startupProbe"):
			all = append(all, c.probeNotPassed("startup"))
		case c.spec.Has("readinessProbe"):
			all = append(all, c.probeNotPassed("readiness"))
		case c.noun == "sidecar" && !c.Is("started"):
			all = append(all, finding{kind: "SidecarNotStarted", text: c.title() + " has not started, and other containers wait for it", container: c.name,
				evidence: []Evidence{c.evidence("started")}, log: c.log(), next: []string{c.logs(false)}})
		}
	}
	return all
}

func (c container) log() *LogID { return &LogID{Pod: c.pod.ID, Container: c.name} }

// initializing returns the finding that an init container is running while others wait.
func (c container) initializing() finding {
	f := finding{
		kind: "InitContainerRunning", text: c.title() + " has not completed, and the containers after it wait", container: c.name,
		evidence: []Evidence{c.evidence("state.running.startedAt")}, log: c.log(), next: []string{c.logs(false)},
	}
	f.key = c.pod.workload() + " " + f.text
	if ago := c.pod.index.age(c.Text("state.running.startedAt")); ago >= time.Second {
		f.text = c.title() + " has been running for " + duration.Rough(ago) + ", and the containers after it wait"
	}
	return f
}

// probeNotPassed returns the finding that a container has not passed a probe.
func (c container) probeNotPassed(probe string) finding {
	f := finding{
		kind: probeKinds[probe], text: c.title() + " has not passed its " + probe + " probe", container: c.name,
		evidence: []Evidence{c.evidence("ready")}, log: c.log(), next: []string{c.logs(false)},
	}
	if probe == "startup" {
		f.evidence = []Evidence{c.evidence("started")}
	}
	c.addProbe(&f, probe, "state.running.startedAt")
	f.key = c.pod.workload() + " " + f.text
	c.addRestarts(&f)
	return f
}

// addRestarts adds how often a container has failed before the current run.
func (c container) addRestarts(f *finding) {
	const last = "lastState.terminated.exitCode"
	if n := c.Int("restartCount", 0); n > 0 && c.Int(last, 0) != 0 {
		f.text += fmt.Sprintf("; it has restarted %s, the last time after exit code %d", text.Count(int(n), "time"), c.Int(last, 0))
		f.evidence = append(f.evidence, c.evidence("restartCount"), c.evidence(last))
		f.next = append(f.next, c.logs(true))
	}
}

// addProbe adds how a probe fails and how it is configured. Events before the start of
// the run, at the path began, are about an earlier run.
func (c container) addProbe(f *finding, probe, began string) {
	label := strings.ToUpper(probe[:1]) + probe[1:] + " probe "
	for _, e := range c.events("Unhealthy") {
		message := messages.Head(e.Message)
		if !strings.HasPrefix(message, label) || e.Last.Before(timeOf(c.Text(began)).Add(-clockSlack)) {
			continue
		}
		if how := probeFailure(c.spec.Under(probe+"Probe"), messages.After(message, ": ")); how != "" {
			f.text += ": " + how
		}
		f.evidence = append(f.evidence, c.pod.eventEvidence(e))
		break
	}
	set := c.spec.Under(probe + "Probe")
	value := podspec.Probe(set.Section)
	if delay := set.Int("initialDelaySeconds", 0); delay > 0 {
		value += fmt.Sprintf(", initial delay %ds", delay)
		if started := c.pod.index.age(c.Text("state.running.startedAt")); started > 0 && started < time.Duration(delay)*time.Second {
			f.text += fmt.Sprintf(": its initial delay is %d s", delay)
		}
	}
	f.evidence = append(f.evidence, c.spec.evidenceAs(probe+"Probe", value))
	if service := set.Text("httpGet.port"); service != "" && !c.hasPort(service) {
		f.text += ": the container has no port named " + show.Line(service)
	}
}

// hasPort reports whether a container has a port of that name.
func (c container) hasPort(name string) bool {
	for port := range c.spec.Each("ports") {
		if port.Text("name") == name {
			return true
		}
	}
	return false
}

// probeFailure describes a failed probe in short, or returns "" if only the event
// describes it.
func probeFailure(set section, message string) string {
	if code, ok := strings.CutPrefix(message, "HTTP probe failed with statuscode: "); ok {
		code, _, _ = strings.Cut(code, " ")
		return "HTTP status " + show.Line(code)
	}
	if strings.Contains(message, "service unhealthy (responded with") {
		return `it answers ` + quotedOr(messages.QuotedAfter(strings.ReplaceAll(message, `\"`, `"`), `responded with "`), "unhealthy")
	}
	if set.Has("exec") {
		switch lower := strings.ToLower(message); {
		case messages.HasAny(lower, "executable file not found", "no such file or directory") && messages.HasAny(lower, "exec failed", "oci runtime"):
			return "its command is not found in the image"
		case messages.HasAny(lower, "timed out", "deadline exceeded"):
			return "its command takes too long"
		}
		return "its command fails"
	}
	if say, ok := messages.ConnectionError(message); ok {
		return say
	}
	return ""
}

func quotedOr(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return show.Line(text)
}

// readinessGateNotMet finds the readiness gates that a Pod does not meet while all its containers
// are ready.
func readinessGateNotMet(o *object) (all []finding) {
	if o.Text("status.conditions[ContainersReady].status") != "True" || o.Text("status.conditions[Ready].status") == "True" {
		return nil
	}
	for gate := range o.Each("spec.readinessGates") {
		t := gate.Text("conditionType")
		c := o.Under("status.conditions[" + t + "]")
		if t == "" || c.Text("status") == "True" {
			continue
		}
		f := finding{
			kind: "ReadinessGate", text: "its containers are ready, but readiness gate " + t + " is not met",
			evidence: []Evidence{gate.evidence("conditionType"), c.evidence("status")},
			next:     []string{commandFor(o.ID, "describe", slash(o.ID))},
		}
		if c.Has("message") {
			f.evidence = append(f.evidence, c.evidence("message"))
		}
		all = append(all, f)
	}
	return all
}
