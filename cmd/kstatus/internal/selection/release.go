package selection

import (
	"fmt"
	"regexp"
	"time"

	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
)

// A Release is a Helm release with the objects of its latest revision.
type Release struct {
	Owner    sets.Owner
	Revision sets.Revision
	Objects  []observe.Target
}

// Note returns a note about a release that is not deployed. It is empty for other releases.
func (r Release) Note() string {
	if r.Revision.Status == "deployed" {
		return ""
	}
	text := fmt.Sprintf("%s: its latest revision, %d, %s", r.Owner, r.Revision.Number, r.Revision.StatusText())
	if r.Revision.IsPending() {
		text += ": until Helm is done with it, objects may be as an earlier revision has left them"
	}
	if advice := r.Advice(); advice != "" {
		text += ". " + advice
	}
	if r.Revision.IsPending() && time.Since(r.Revision.Since) >= longPending {
		text += ". " + r.InterruptedAdvice()
	}
	return text
}

// longPending is how long a revision must be pending before a note says that Helm may have been
// interrupted.
const longPending = 10 * time.Minute

// InterruptedAdvice returns what users can do about a pending revision if Helm was interrupted.
// It is empty for other revisions.
func (r Release) InterruptedAdvice() string {
	name := r.Owner.Name + " -n " + r.Owner.Namespace
	const interrupted = "If no helm process is running any more, Helm was interrupted. "
	switch {
	case r.Revision.Status == "pending-install":
		return interrupted + "To start over: helm uninstall " + name
	case r.Revision.IsPending():
		return interrupted + "To go back: helm history " + name + ", then helm rollback " + name
	}
	return ""
}

// Advice returns what users can do about a release that has failed or was uninstalled. It is
// empty for other releases.
func (r Release) Advice() string {
	history := "helm history " + r.Owner.Name + " -n " + r.Owner.Namespace
	switch {
	case r.Revision.Status == "failed" && hookEvent.MatchString(r.Revision.Description):
		why := "kstatus does not follow Helm hooks. To see why the hook failed: "
		if job := failedJob.FindStringSubmatch(r.Revision.Description); job != nil {
			return why + "kstatus explain job/" + job[1] + " -n " + r.Owner.Namespace + ", " + history
		}
		return why + "kstatus explain jobs -n " + r.Owner.Namespace
	case r.Revision.Status == "failed":
		return "To see all revisions: " + history
	case r.Revision.Status == "uninstalled":
		return fmt.Sprintf("helm rollback %s %d -n %s installs it again", r.Owner.Name, r.Revision.Number, r.Owner.Namespace)
	}
	return ""
}

// Patterns of Helm's description of a revision that failed in a hook, such as:
//
//	Release "web" failed: failed post-install: 1 error occurred: * job web-migrate failed: BackoffLimitExceeded
var (
	hookEvent = regexp.MustCompile(`\b(pre|post)-(install|upgrade|rollback)\b`)
	failedJob = regexp.MustCompile(`\bjob ([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?) failed:`)
)
