package connection

import (
	"context"
	"fmt"
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
	if strings.HasPrefix(r.Revision.Status, "pending-") {
		text += ": until Helm is done with it, objects may be as an earlier revision has left them"
	}
	if advice := r.Advice(); advice != "" {
		text += "; " + advice
	}
	c.Note(text)
}

// String returns the number and the status of the revision, the time of that status, and the
// reason of a failure.
func (r Release) String() string {
	return fmt.Sprintf("revision %d %s", r.Revision.Number, statusText(r.Revision))
}

// statusText returns the status of a revision, its time, and the reason of a failure.
func statusText(r sets.Revision) string {
	text, since := "is "+r.Status, " since "
	if r.Status == "failed" {
		text, since = "failed", " at "
	}
	if !r.Since.IsZero() {
		text += since + r.Since.UTC().Format(time.RFC3339)
	}
	if why := strings.Join(strings.Fields(output.RedactText(r.Description)), " "); why != "" {
		text += ": " + strings.TrimSuffix(why, ".")
	}
	return text
}

// Advice returns what users can do about a release that is not deployed. It is empty for other
// releases.
func (r Release) Advice() string {
	name := r.Owner.Name + " -n " + r.Owner.Namespace
	const interrupted = "if no helm command is running, it was interrupted: "
	switch status := r.Revision.Status; {
	case status == "pending-install":
		return interrupted + "helm uninstall " + name
	case strings.HasPrefix(status, "pending-"):
		return interrupted + "helm history " + name + ", then helm rollback " + name
	case status == "failed":
		return "hooks of Helm are not looked at: helm history " + name
	case status == "uninstalled":
		return fmt.Sprintf("helm rollback %s %d -n %s installs it again", r.Owner.Name, r.Revision.Number, r.Owner.Namespace)
	}
	return ""
}

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
