package connection

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
)

// Sets returns the cluster as package sets needs it.
func (c *Cluster) Sets() *sets.Cluster {
	return &sets.Cluster{Config: c.Config, Mapper: c.Mapper, Namespace: c.Namespace}
}

// KeepSet returns the objects of a set. It prints the notes of the set, and records the owners
// of the objects and the requests of the search.
func (c *Cluster) KeepSet(set sets.Set) []observe.Target {
	for _, note := range set.Notes {
		c.Note(note)
	}
	c.Reads = append(c.Reads, set.Permissions...)
	for owned, owner := range set.Owners {
		if c.Owners == nil {
			c.Owners = map[observe.Target]observe.Target{}
		}
		owned.Cluster, owner.Cluster = c.Name, c.Name
		c.Owners[owned] = owner
	}
	targets := slices.Clone(set.Objects)
	for i := range targets {
		targets[i].Cluster = c.Name
	}
	return targets
}

// KeepHome records the namespace of a named set for its objects.
func (c *Cluster) KeepHome(objects []observe.Target, namespace string) {
	if c.Homes == nil {
		c.Homes = map[observe.Target]string{}
	}
	for _, t := range objects {
		c.Homes[t] = namespace
	}
}

// Home returns the namespace that the user requested an object in. For an object of a set it is
// that of the set. For an object that another one owns, it is that of the topmost owner. Its
// authors choose the namespaces of such objects.
func (c *Cluster) Home(t observe.Target) string {
	for range len(c.Owners) {
		owner, owned := c.Owners[t]
		if !owned {
			break
		}
		t = owner
	}
	if home, ok := c.Homes[t]; ok {
		return home
	}
	return t.Namespace
}

// A Release is a Helm release with the objects of its latest revision.
type Release struct {
	Owner    sets.Owner
	Revision sets.Revision
	Objects  []observe.Target
}

// KeepRelease keeps a release if releases are followed. Otherwise it prints a note about a
// release that is not deployed.
func (c *Cluster) KeepRelease(r Release) {
	if c.FollowsReleases {
		c.Releases = append(c.Releases, r)
		return
	}
	c.NoteRelease(r)
}

// NoteRelease prints a note about a release that is not deployed.
func (c *Cluster) NoteRelease(r Release) {
	if r.Revision.Status == "deployed" {
		return
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
	c.Note(text)
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

// Elsewhere returns where a set that was not found may be, or an empty text. It searches once
// per set.
func (c *Cluster) Elsewhere(ctx context.Context, o sets.Owner) string {
	hint, known := c.hints[o]
	if !known && o.Type == sets.TypeHelm {
		hint = c.Sets().DescribeMissing(ctx, o)
	}
	if c.hints == nil {
		c.hints = map[sets.Owner]string{}
	}
	c.hints[o] = hint
	return hint
}

// Note prints a note about the sets of the cluster, each text once.
func (c *Cluster) Note(note string) {
	if c.Name != "" {
		note = c.Name + ": " + note
	}
	if !slices.Contains(c.notes, note) {
		c.notes = append(c.notes, note)
		c.Notify(note)
	}
}
