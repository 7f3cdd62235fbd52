package status

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The restarts from which on a container counts as crashing also while it runs
// or is about to be started again, and how long it must run to have recovered,
// which is when the kubelet forgets its back-off.
const (
	crashRestarts  = 3
	crashRecovered = 10 * time.Minute
)

// What a container is to its Pod: where its spec and its status stand, and what
// people call it.
type containerRole struct{ spec, status, noun string }

var containerRoles = [...]containerRole{
	{"spec.initContainers", "status.initContainerStatuses", "init container"},
	{"spec.containers", "status.containerStatuses", "container"},
}

// podFailure tells why a Pod has failed: the reason that its status gives, such
// as Evicted, and the containers that ended with an error.
func (f *Fields) podFailure() string {
	var ended []string
	for _, role := range containerRoles {
		for c := range f.Each(role.status) {
			if c.Int("state.terminated.exitCode", 0) != 0 {
				ended = append(ended, role.noun+" "+c.Text("name", "")+" has exited with "+c.exit("state.terminated"))
			}
		}
	}
	slices.Sort(ended)
	if most := 3; len(ended) > most {
		ended = append(ended[:most], fmt.Sprintf("%d more", len(ended)-most))
	}
	why := Condition{Type: "its phase", Status: "Failed", Reason: f.Text("status.reason", ""), Message: f.Text("status.message", "")}
	if c := f.Condition("DisruptionTarget"); c.Status == conditionTrue && why.Reason == "" {
		why = c
	}
	if why.Reason != "" || why.Message != "" || len(ended) == 0 {
		ended = append([]string{why.detail()}, ended...)
	}
	return strings.Join(ended, "; ")
}

// exit renders how a container ended: "code 137 (OOMKilled)".
func (f *Fields) exit(path string) string {
	text := fmt.Sprintf("code %d", f.Int(path+".exitCode", 0))
	if reason := f.Text(path+".reason", ""); reason != "" {
		text += " (" + reason + ")"
	}
	return text
}

// succeeded reports whether a container has ended with success.
func (f *Fields) succeeded() bool {
	return f.Has("state.terminated") && f.Int("state.terminated.exitCode", 0) == 0
}

// containerTrouble returns the worst that is wrong with a container of a Pod
// that is not ready; zero if nothing is.
func (f *Fields) containerTrouble(ready Condition) (worst Result) {
	troubled := 0
	for _, role := range containerRoles {
		for c := range f.Each(role.status) {
			r := f.trouble(role, c, ready)
			if r.Status == "" {
				continue
			}
			troubled++
			if worst.Status == "" || worseTrouble(r, worst) {
				worst = r
			}
		}
	}
	if troubled > 1 {
		worst.Message += fmt.Sprintf(" (and %d more)", troubled-1)
	}
	return worst
}

// worseTrouble orders the troubles of containers: what cannot heal, what has
// lasted, what is young; where that is the same, by text.
func worseTrouble(a, b Result) bool {
	rank := func(r Result) int {
		switch {
		case r.Failure == FailureTerminal:
			return 0
		case r.Status == FailedStatus:
			return 1
		}
		return 2
	}
	if rank(a) != rank(b) {
		return rank(a) < rank(b)
	}
	return a.Message < b.Message
}

// trouble returns what is wrong with one container; zero if nothing is.
func (f *Fields) trouble(role containerRole, c *Fields, ready Condition) (r Result) {
	name := c.Text("name", "")
	restart, noun := f.restarts(role, name)
	name = noun + " " + name
	reason, text := c.Text("state.waiting.reason", ""), c.Text("state.waiting.message", "")
	if text != "" {
		text = ": " + oneLine(text)
	}
	switch kind := waitingFor(reason); kind {
	case "InvalidImage":
		return FailedTerminal(kind, "%s: %s%s", name, reason, text)
	case "CrashLoop":
		return FailedRecoverable(kind, "%s %s", name, c.crashes("lastState.terminated"))
	case "ImagePullBackOff", "ContainerError":
		return f.FailAfterWindow(f.notBefore(role, c, ready), FailedRecoverable(kind, "%s: %s%s", name, reason, text))
	}
	restarts, exit := c.Int("restartCount", 0), c.Int("state.terminated.exitCode", 0)
	switch {
	case c.Has("state.terminated") && exit != 0 && restart == "Never":
		return FailedTerminal("PodFailed", "%s has exited with %s and is not restarted (restartPolicy Never)", name, c.exit("state.terminated"))
	case c.Has("state.terminated") && (exit != 0 || restart == "Always"):
		if restarts >= crashRestarts {
			return FailedRecoverable("CrashLoop", "%s %s", name, c.crashes("state.terminated"))
		}
		r = FailedRecoverable("ContainerError", "%s has exited with %s; restart pending", name, c.exit("state.terminated"))
		return f.FailAfterWindow(c.Text("state.terminated.finishedAt", ""), r)
	case c.Has("state.running") && restarts >= crashRestarts && c.Int("lastState.terminated.exitCode", 0) != 0:
		if left := crashRecovered - f.Since(c.Text("state.running.startedAt", "")); left > 0 {
			r = FailedRecoverable("CrashLoop", "%s is running after %d restarts; last exit %s", name, restarts, c.exit("lastState.terminated"))
			r.Status, r.Recheck = InProgressStatus, left
		}
	}
	return r
}

// waitingFor sorts the reasons for which kubelets let a container wait; empty
// where nothing is wrong. Container runtimes may invent others, which are known
// by their form.
func waitingFor(reason string) string {
	switch reason {
	case "CrashLoopBackOff":
		return "CrashLoop"
	case "InvalidImageName":
		return "InvalidImage"
	case "ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable", "SignatureValidationFailed":
		return "ImagePullBackOff"
	case "ContainerCannotRun":
		return "ContainerError"
	}
	if strings.HasPrefix(reason, "Err") || strings.HasSuffix(reason, "Error") || strings.HasSuffix(reason, "BackOff") || strings.HasSuffix(reason, "Failed") {
		return "ContainerError"
	}
	return ""
}

// crashes renders that a container in a crash loop keeps exiting, and how it exited
// last if that is known.
func (f *Fields) crashes(path string) string {
	exit, restarts := "", f.Int("restartCount", 0)
	if f.Has(path) {
		exit = " with " + f.exit(path)
	}
	switch restarts {
	case 0:
		return "has exited" + exit + "; restart pending"
	case 1:
		return "keeps exiting" + exit + ", 1 restart"
	}
	return fmt.Sprintf("keeps exiting%s, %d restarts", exit, restarts)
}

// restarts tells whether a container is started again when it ends (Always,
// OnFailure, Never), and what people call it: an init container that is always
// restarted is a sidecar. One with rules for single exit codes may be started
// again.
func (f *Fields) restarts(role containerRole, name string) (policy, noun string) {
	policy = f.Text("spec.restartPolicy", "Always")
	if role.noun == "init container" && policy == "Always" {
		policy = "OnFailure"
	}
	if i, m := f.eval.names.Find(f.items(role.spec), name); m != nil {
		c := &Fields{node: m, eval: f.eval, outer: f, listPath: role.spec, index: i}
		policy = c.Text("restartPolicy", policy)
		if policy == "Never" && c.Len("restartPolicyRules") > 0 {
			policy = "OnFailure"
		}
	}
	if role.noun == "init container" && policy == "Always" {
		return policy, "sidecar"
	}
	return policy, role.noun
}

// notBefore returns the latest time before which what a container waits for
// cannot have begun. Waiting itself carries no time.
func (f *Fields) notBefore(role containerRole, c *Fields, ready Condition) string {
	at := f.Text("status.startTime", "")
	later := func(t string) {
		if f.Since(t) < f.Since(at) {
			at = t
		}
	}
	later(ready.Since)
	later(c.Text("lastState.terminated.finishedAt", ""))
	for _, t := range [...]string{"PodReadyToStartContainers", "Initialized"} {
		if done := f.Condition(t); done.Status == conditionTrue && (t != "Initialized" || role.noun == "container") {
			later(done.Since)
		}
	}
	return at
}
