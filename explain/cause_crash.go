package explain

import (
	"fmt"
	"strings"
	"time"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/show"
)

// crashLoop finds why the containers of a Pod terminated that should be running, or that
// exited with an error. Other finders explain the end of a whole Pod, such as an
// eviction.
func crashLoop(o *object) (all []finding) {
	if o.isTerminated() {
		return nil
	}
	for c := range o.containers() {
		at := c.terminatedAt()
		if at == "" {
			continue
		}
		e := termination{container: c, at: at, code: c.Int(at+".exitCode", 0)}
		f := e.finding()
		if events := c.events("BackOff"); len(events) > 0 && (f.kind == "CrashLoop" || f.kind == "OutOfMemory" || f.kind == "ContainerCompleted") {
			f.evidence = append(f.evidence, o.eventEvidence(events[0]))
		}
		all = append(all, f)
	}
	return all
}

// terminatedAt returns the path of the termination of a container that should not have
// terminated, or "". The latest termination counts.
func (c container) terminatedAt() string {
	const now, before = "state.terminated", "lastState.terminated"
	switch {
	case c.Text("state.waiting.reason") == "CrashLoopBackOff", c.Text("state.waiting.reason") == "RunContainerError":
		if !c.Has(before) {
			return "state.waiting"
		}
		return before
	case c.Has(now):
		if c.Int(now+".exitCode", 0) != 0 || c.restarts() == "Always" {
			return now
		}
	case c.Has("state.running") && c.Int("restartCount", 0) > 0 && !c.Is("ready") && c.Has(before):
		ago := c.pod.index.age(c.Text(before + ".finishedAt"))
		if c.Int(before+".exitCode", 0) != 0 && ago < 10*time.Minute {
			return before
		}
	}
	return ""
}

// A termination is how a container has terminated.
type termination struct {
	container
	at   string // its path in the status
	code int64
}

// finding returns why the container has terminated. The most specific reason comes first:
// out of memory, not started, killed after a failed probe, then its exit code.
func (e termination) finding() finding {
	c := e.container
	previous := strings.HasPrefix(e.at, "lastState") || c.Text("state.waiting.reason") == "CrashLoopBackOff"
	f := finding{
		kind: "CrashLoop", container: c.name,
		evidence: []Evidence{c.evidence(e.at + ".exitCode")},
		log:      &LogID{Pod: c.pod.ID, Container: c.name, Previous: previous},
		next:     []string{c.logs(previous)},
	}
	if c.Int("restartCount", 0) == 0 && c.Text("state.waiting.reason") != "CrashLoopBackOff" {
		f.kind = "ContainerFailed"
	}
	if reason := c.Text(e.at + ".reason"); reason != "" && reason != "Error" && reason != "Completed" {
		f.evidence = append(f.evidence, c.evidence(e.at+".reason"))
	}
	if c.Has(e.at + ".signal") {
		f.evidence = append(f.evidence, c.evidence(e.at+".signal"))
	}
	if c.Int("restartCount", 0) > 0 {
		f.evidence = append(f.evidence, c.evidence("restartCount"))
	}
	switch {
	case c.Text(e.at+".reason") == "OOMKilled":
		e.outOfMemory(&f)
	case e.Text(e.at+".reason") == "ContainerStatusUnknown", e.Text(e.at+".reason") == "Unknown":
		f.text = c.title() + " has terminated, and its kubelet does not know the exit code"
	case e.addStartError(&f), e.killedByProbe(&f), e.killedByHook(&f), e.wrongPlatform(&f):
	case e.code == 0 && e.at == "state.waiting":
		f.text, f.evidence = c.title()+" exits repeatedly", []Evidence{c.evidence("state.waiting.reason")}
	case e.code == 0:
		f.kind, f.text = "ContainerCompleted", c.title()+" exits with code 0, but should keep running (restartPolicy Always)"
		policy := c.pod.evidence("spec.restartPolicy")
		if c.spec.Has("restartPolicy") {
			policy = c.spec.evidence("restartPolicy")
		}
		f.evidence = append(f.evidence, policy)
	default:
		f.text = c.title() + " " + exitText(e.code, c.Int(e.at+".signal", 0)) + e.shortRunText()
	}
	e.addTerminationMessage(&f)
	f.key = c.pod.workload() + " " + f.text
	return f
}

// shortRunText returns a text about a run of less than five seconds, or "".
func (e termination) shortRunText() string {
	if took, ok := e.ran(e.at); ok && took < 5*time.Second {
		return " right after start"
	}
	return ""
}

func (e termination) outOfMemory(f *finding) {
	f.kind, f.text = "OutOfMemory", e.title()+" is killed because it runs out of memory"
	switch limit := e.spec.Text("resources.limits.memory"); {
	case limit != "":
		f.text = e.title() + " is killed because it exceeds its memory limit of " + limit
		f.evidence = append(f.evidence, e.spec.evidence("resources.limits.memory"))
		e.addLimitRangeDefault(f, "memory", "limit")
	case e.pod.Has("spec.resources.limits.memory"):
		f.evidence = append(f.evidence, e.pod.evidence("spec.resources.limits.memory"))
	default:
		f.evidence = append(f.evidence, e.spec.evidence("resources.limits.memory"))
	}
}

// addTerminationMessage adds the termination message of the container as evidence from a
// log. It may hold secrets, so callers that hide logs hide it too.
func (e termination) addTerminationMessage(f *finding) {
	text := strings.TrimSpace(messages.Head(e.Text(e.at + ".message")))
	if text == "" || f.kind == "StartError" {
		return
	}
	lines := strings.Split(text, "\n")
	quote := Evidence{From: OriginLog, Object: e.pod.ID, Log: e.name + ", termination message"}
	for _, line := range lines[max(0, len(lines)-10):] {
		quote.Lines = append(quote.Lines, show.LogLine(messages.Head(line)))
	}
	f.evidence = append(f.evidence, quote)
}

// killedByProbe explains that the kubelet killed a container because its liveness or
// startup probe failed in this run.
func (e termination) killedByProbe(f *finding) bool {
	began := timeOf(e.Text(e.at + ".startedAt"))
	for _, event := range e.events("Killing") {
		if event.Last.Before(began.Add(-clockSlack)) {
			continue
		}
		for _, probe := range [...]string{"liveness", "startup"} {
			if !strings.Contains(messages.Head(event.Message), "failed "+probe+" probe") {
				continue
			}
			f.kind, f.text = probeKinds[probe], e.title()+" is restarted because its "+probe+" probe fails"
			f.evidence = append(f.evidence, e.pod.eventEvidence(event))
			e.addProbe(f, probe, e.at+".startedAt")
			return true
		}
	}
	return false
}

// killedByHook explains that the kubelet killed a container because its postStart hook failed in
// this run.
func (e termination) killedByHook(f *finding) bool {
	began := timeOf(e.Text(e.at + ".startedAt"))
	for _, event := range e.events("FailedPostStartHook") {
		if event.Last.Before(began.Add(-clockSlack)) {
			continue
		}
		f.kind, f.text = "PostStartHook", e.title()+" is terminated because its postStart hook fails"
		hook := e.spec.evidenceAs("lifecycle.postStart", podspec.Action(e.spec.Under("lifecycle.postStart").Section))
		f.evidence = append(f.evidence, e.pod.eventEvidence(event), hook)
		return true
	}
	return false
}

// wrongPlatform explains that the kernel of the node cannot execute a command. Only the
// log of the container shows that.
func (e termination) wrongPlatform(f *finding) bool {
	log := e.pod.index.logs[*f.log]
	if e.code == 0 || log == nil || len(log.Lines) == 0 || !strings.HasSuffix(strings.TrimSpace(log.Lines[len(log.Lines)-1]), ": exec format error") {
		return false
	}
	f.kind, f.text = "ImagePlatform", "image "+e.image()+" is not built for the platform of the node"
	return true
}

// The meanings of exit codes that shells and runtimes return.
var exitWords = map[int64]string{
	126: "its command cannot be executed",
	127: "its command is not found",
}

// The signals that end processes, by number.
var signals = map[int64]string{
	1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL",
	10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
}

// exitText describes how a process has ended: "exits with code 1", "is terminated by SIGSEGV
// (exit code 139)".
func exitText(code, signal int64) string {
	if signal == 0 && code > 128 {
		signal = code - 128
	}
	if name := signals[signal]; name != "" {
		return fmt.Sprintf("is terminated by %s (exit code %d)", name, code)
	}
	text := fmt.Sprintf("exits with code %d", code)
	if words := exitWords[code]; words != "" {
		text += " (" + words + ")"
	}
	return text
}
