package status

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	safetext "kstatus.dev/internal/text"
)

// From crashRestarts restarts on, a container counts as crashing also while it runs or is about
// to restart. After it has run for crashRecoveryTime it has recovered: the kubelet resets its
// back-off then.
const (
	crashRestarts     = 3
	crashRecoveryTime = 10 * time.Minute
)

// A containerRole holds the paths of a kind of containers in the spec and the status of a Pod,
// and the noun for messages.
type containerRole struct{ spec, status, noun string }

var containerRoles = [...]containerRole{
	{"spec.initContainers", "status.initContainerStatuses", "init container"},
	{"spec.containers", "status.containerStatuses", "container"},
}

// podFailure describes why a Pod has failed: the reason in its status, such as Evicted, and the
// containers that exited with an error.
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

// hasSucceeded reports whether a container has terminated with exit code 0.
func (f *Fields) hasSucceeded() bool {
	return f.Has("state.terminated") && f.Int("state.terminated.exitCode", 0) == 0
}

// containerProblem returns the worst problem of the containers of a Pod that is not ready. It is
// zero if they have none.
func (f *Fields) containerProblem(ready Condition) (worst Result) {
	problems, worstName := 0, ""
	for _, role := range containerRoles {
		for c := range f.Each(role.status) {
			name := c.Text("name", "")
			restart, noun := f.restarts(role, name)
			name = noun + " " + name
			r := f.problemOf(role, c, ready, name, restart)
			if r.Status == "" {
				continue
			}
			problems++
			if worst.Status == "" || cmp.Or(cmp.Compare(problemRank(r), problemRank(worst)), cmp.Compare(name, worstName)) < 0 {
				worst, worstName = r, name
			}
		}
	}
	switch {
	case problems == 2:
		worst.Message += "; 1 more container fails"
	case problems > 2:
		worst.Message += fmt.Sprintf("; %d more containers fail", problems-1)
	}
	return worst
}

// problemRank orders the problems of containers: terminal, then lasting, then recent ones.
func problemRank(r Result) int {
	switch {
	case r.Failure == FailureTerminal:
		return 0
	case r.Status == FailedStatus:
		return 1
	}
	return 2
}

// problemOf returns the problem of one container; zero if it has none. The name includes the role,
// such as "init container migrate".
func (f *Fields) problemOf(role containerRole, c *Fields, ready Condition, name, restart string) (r Result) {
	reason, text := c.Text("state.waiting.reason", ""), c.Text("state.waiting.message", "")
	if text != "" {
		text = ": " + oneLine(text)
	}
	switch kind := waitingFor(reason); kind {
	case "InvalidImage":
		return FailedTerminal(kind, "%s: %s%s", reason, name, text)
	case "CrashLoop":
		return FailedRecoverable(kind, "%s: %s %s", reason, name, c.crashes("lastState.terminated"))
	case "ImagePullBackOff", "ContainerError":
		return f.FailAfterWindow(f.timeBeforeWait(role, c, ready), FailedRecoverable(kind, "%s: %s%s", reason, name, text))
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
		if left := crashRecoveryTime - f.Since(c.Text("state.running.startedAt", "")); left > 0 {
			r = FailedRecoverable("CrashLoop", "%s is running after %d restarts; last exit %s", name, restarts, c.exit("lastState.terminated"))
			r.Status, r.Recheck = InProgressStatus, left
		}
	}
	return r
}

// A container of a ready Pod has too many restarts after manyRestarts, or after severalRestarts if the
// last one was recent.
const (
	manyRestarts    = 100
	severalRestarts = 5
	recentRestart   = time.Hour
)

// restartCaveat names the container of a ready Pod that has restarted most, if it has too many
// restarts.
func (f *Fields) restartCaveat() string {
	var most int64
	var name, exit string
	for _, role := range containerRoles {
		for c := range f.Each(role.status) {
			n := c.Int("restartCount", 0)
			if n < severalRestarts || n <= most || n < manyRestarts && f.Since(c.Text("lastState.terminated.finishedAt", "")) > recentRestart {
				continue
			}
			most, name, exit = n, role.noun+" "+c.Text("name", ""), ""
			if c.Has("lastState.terminated") {
				exit = "; the last time it exited with " + c.exit("lastState.terminated")
			}
		}
	}
	if most == 0 {
		return ""
	}
	return fmt.Sprintf("%s has restarted %d times%s", name, most, exit)
}

// waitingFor returns the reason of the verdict for the reason with which a container waits. It
// is empty if that reason is no problem. Reasons that container runtimes add are recognized by
// their form.
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

// crashes describes how a container exits, and how often: "exits with code 137 (OOMKilled, 4
// restarts)".
func (f *Fields) crashes(path string) string {
	restarts := f.Int("restartCount", 0)
	if restarts == 0 {
		if f.Has(path) {
			return "has exited with " + f.exit(path) + "; restart pending"
		}
		return "has exited; restart pending"
	}
	times := safetext.Count(int(restarts), "restart")
	if !f.Has(path) {
		return "exits repeatedly (" + times + ")"
	}
	if reason := f.Text(path+".reason", ""); reason != "" && reason != "Error" {
		times = reason + ", " + times
	}
	return fmt.Sprintf("exits with code %d (%s)", f.Int(path+".exitCode", 0), times)
}

// restarts returns the restart policy of a container (Always, OnFailure, Never), and the noun
// for it. An init container with restartPolicy Always is a sidecar. A container with rules for
// single exit codes counts as one that may be restarted.
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

// timeBeforeWait returns the latest known time before the container began to wait. The waiting
// state itself has no time.
func (f *Fields) timeBeforeWait(role containerRole, c *Fields, ready Condition) string {
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
