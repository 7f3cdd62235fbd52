package selection

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"kstatus.dev/cmd/kstatus/internal/output"
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
	text := fmt.Sprintf("%s: its latest revision, %d, %s", r.Owner, r.Revision.Number, statusText(r.Revision))
	if r.isPending() {
		text += ": until Helm is done with it, objects may be as an earlier revision has left them"
	}
	if advice := r.Advice(); advice != "" {
		text += ". " + advice
	}
	if r.isPending() && time.Since(r.Revision.Since) >= longPending {
		text += ". " + r.InterruptedAdvice()
	}
	return text
}

// String returns the number and the status of the revision, and the reason of a failure. The time
// in it is that of the status, or that of the beginning of the revision.
func (r Release) String() string {
	return fmt.Sprintf("revision %d %s", r.Revision.Number, statusText(r.Revision))
}

// statusText returns the status of a revision, its time, and the reason of a failure.
func statusText(r sets.Revision) string {
	text, since := "is "+r.Status, " since "
	if r.Status == "failed" {
		text, since = "failed", " at "
	}
	switch {
	case !r.Since.IsZero():
		text += since + r.Since.UTC().Format(time.RFC3339)
	case !r.Began.IsZero():
		text = "began at " + r.Began.UTC().Format(time.RFC3339) + " and " + text
	}
	if why := strings.Join(strings.Fields(output.RedactText(r.Description)), " "); why != "" {
		text += ": " + strings.TrimSuffix(why, ".")
	}
	return text
}

// longPending is how long a revision must be pending before a note says that Helm may have been
// interrupted.
const longPending = 10 * time.Minute

// isPending reports whether Helm has begun the revision and has not recorded its end.
func (r Release) isPending() bool { return strings.HasPrefix(r.Revision.Status, "pending-") }

// InterruptedAdvice returns what users can do about a pending revision if Helm was interrupted.
// It is empty for other revisions.
func (r Release) InterruptedAdvice() string {
	name := r.Owner.Name + " -n " + r.Owner.Namespace
	const interrupted = "If no helm process is running any more, Helm was interrupted. "
	switch {
	case r.Revision.Status == "pending-install":
		return interrupted + "To start over: helm uninstall " + name
	case r.isPending():
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
