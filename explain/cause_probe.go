package explain

import (
	"fmt"
	"strings"
	"time"
)

// The kinds of causes by probe.
var probeKinds = map[string]string{"liveness": "LivenessProbe", "readiness": "ReadinessProbe", "startup": "StartupProbe"}

// clockSlack is by how much times may differ that are told of the same moment:
// some are rounded, and not all clocks agree.
const clockSlack = 2 * time.Second

// unready tells which probe a running container has not passed, and how it
// fails: that it has not passed it stands in the status, how in events.
func unready(n *node) (all []found) {
	if n.text("status.phase") != "Running" && n.text("status.phase") != "Pending" {
		return nil
	}
	for c := range n.containers() {
		if !c.has("state.running") || c.ended() != "" || !c.has("ready") || c.is("ready") {
			continue
		}
		switch {
		case c.noun == "init container":
			all = append(all, c.initializing())
		case c.has("started") && !c.is("started") && c.spec.has("startupProbe"):
			all = append(all, c.notPassed("startup"))
		case c.spec.has("readinessProbe"):
			all = append(all, c.notPassed("readiness"))
		case c.noun == "sidecar" && !c.is("started"):
			all = append(all, found{kind: "SidecarNotStarted", text: c.title() + " has not started, and others wait for it", container: c.name,
				evidence: []Evidence{c.evidence("started")}, log: c.log(), next: []string{c.logs(false)}})
		}
	}
	return all
}

func (c container) log() *LogWish { return &LogWish{Pod: c.pod.ID, Container: c.name} }

// initializing tells of an init container that runs while others wait.
func (c container) initializing() found {
	f := found{
		kind: "InitContainerRunning", text: c.title() + " has not ended, and the containers after it wait", container: c.name,
		evidence: []Evidence{c.evidence("state.running.startedAt")}, log: c.log(), next: []string{c.logs(false)},
	}
	f.key = c.pod.workload() + " " + f.text
	if ago := c.pod.scene.age(c.text("state.running.startedAt")); ago >= time.Second {
		f.text = c.title() + " has run for " + lasting(ago) + " and not ended, and the containers after it wait"
	}
	return f
}

// notPassed tells how a probe fails that a container has not passed.
func (c container) notPassed(probe string) found {
	f := found{
		kind: probeKinds[probe], text: c.title() + " has not passed its " + probe + " probe", container: c.name,
		evidence: []Evidence{c.evidence("ready")}, log: c.log(), next: []string{c.logs(false)},
	}
	if probe == "startup" {
		f.evidence = []Evidence{c.evidence("started")}
	}
	c.tellProbe(&f, probe, "state.running.startedAt")
	f.key = c.pod.workload() + " " + f.text
	return f
}

// tellProbe adds how a probe fails and how it is set. Events from before the run
// that began at a time speak of an earlier one.
func (c container) tellProbe(f *found, probe, began string) {
	label := strings.ToUpper(probe[:1]) + probe[1:] + " probe "
	for _, e := range c.events("Unhealthy") {
		message := read(e.Message)
		if !strings.HasPrefix(message, label) || e.Last.Before(timeOf(c.text(began)).Add(-clockSlack)) {
			continue
		}
		if how := probeFailure(c.spec.under(probe+"Probe"), after(message, ": ")); how != "" {
			f.text += ": " + how
		}
		f.evidence = append(f.evidence, c.pod.event(e))
		break
	}
	set := c.spec.under(probe + "Probe")
	value := probeSet(set)
	if delay := set.whole("initialDelaySeconds", 0); delay > 0 {
		value += fmt.Sprintf(", the first after %ds", delay)
		if started := c.pod.scene.age(c.text("state.running.startedAt")); started > 0 && started < time.Duration(delay)*time.Second {
			f.text += fmt.Sprintf(": it is first asked %d s after start", delay)
		}
	}
	f.evidence = append(f.evidence, c.spec.as(probe+"Probe", value))
	if service := set.text("httpGet.port"); service != "" && !c.hasPort(service) {
		f.text += ": the container has no port of that name: " + bounded(service)
	}
}

// hasPort reports whether a container names one of its ports so.
func (c container) hasPort(name string) bool {
	for port := range c.spec.each("ports") {
		if port.text("name") == name {
			return true
		}
	}
	return false
}

// probeFailure says how a probe fails, in short; empty where only the event tells.
func probeFailure(set fields, message string) string {
	if code, ok := strings.CutPrefix(message, "HTTP probe failed with statuscode: "); ok {
		code, _, _ = strings.Cut(code, " ")
		return "HTTP status " + bounded(code)
	}
	if strings.Contains(message, "service unhealthy (responded with") {
		return `it answers ` + quotedOr(quotedAfter(strings.ReplaceAll(message, `\"`, `"`), `responded with "`), "unhealthy")
	}
	if set.has("exec") {
		switch lower := strings.ToLower(message); {
		case hasAny(lower, "executable file not found", "no such file or directory") && hasAny(lower, "exec failed", "oci runtime"):
			return "its command is not found in the image"
		case hasAny(lower, "timed out", "deadline exceeded"):
			return "its command takes too long"
		}
		return "its command fails"
	}
	if say, ok := meaning(connectionErrors, message); ok {
		return say
	}
	return ""
}

func quotedOr(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return bounded(text)
}

// probeSet renders how a probe is set: "GET /healthz on port 8080 every 10s, fails
// after 3". Of a command it tells the program only, since arguments may be secret.
func probeSet(set fields) string {
	text := "not set"
	switch {
	case set.has("httpGet"):
		scheme := "GET "
		if set.text("httpGet.scheme") == "HTTPS" {
			scheme = "GET over TLS "
		}
		path, _, _ := strings.Cut(first(set.text("httpGet.path"), "/"), "?")
		text = scheme + path + " on port " + shown(set.get("httpGet.port"))
	case set.has("tcpSocket"):
		text = "connect to port " + shown(set.get("tcpSocket.port"))
	case set.has("grpc"):
		text = "gRPC health on port " + shown(set.get("grpc.port"))
	case set.has("exec"):
		text = "run a command"
		if command := set.texts("exec.command"); len(command) > 0 {
			text = "run " + command[0]
		}
	default:
		return text
	}
	return text + fmt.Sprintf(" every %ds, within %ds, fails after %d", set.whole("periodSeconds", 10), set.whole("timeoutSeconds", 1), set.whole("failureThreshold", 3))
}

// ungated tells which readiness gates of a Pod are not met whose containers are.
func ungated(n *node) (all []found) {
	if n.text("status.conditions[ContainersReady].status") != "True" || n.text("status.conditions[Ready].status") == "True" {
		return nil
	}
	for gate := range n.each("spec.readinessGates") {
		t := gate.text("conditionType")
		c := n.under("status.conditions[" + t + "]")
		if t == "" || c.text("status") == "True" {
			continue
		}
		f := found{
			kind: "ReadinessGate", text: "its containers are ready, but readiness gate " + t + " is not met",
			evidence: []Evidence{gate.evidence("conditionType"), c.evidence("status")},
			next:     []string{n.ID.kubectl("describe", n.ID.slash())},
		}
		if c.has("message") {
			f.evidence = append(f.evidence, c.evidence("message"))
		}
		all = append(all, f)
	}
	return all
}
