package sets

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/kube/sets/internal/release"
	"kstatus.dev/observe"
)

// Revisions returns the stored revisions of a Helm release, the oldest first.
// It reads metadata only. The error is a [NotFoundError] if there is no such
// release.
func (c *Cluster) Revisions(ctx context.Context, o Owner) ([]Revision, error) {
	f, err := c.finder()
	if err != nil {
		return nil, err
	}
	kept, err := f.revisions(ctx, o.Namespace, o.Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o, err)
	}
	return kept.revisions, nil
}

// Failure returns Helm's description of a failed revision, which may contain
// secrets. It is empty for a revision that has not failed.
func (c *Cluster) Failure(ctx context.Context, o Owner, revision int64) (string, error) {
	f, err := c.finder()
	if err != nil {
		return "", err
	}
	kept, err := f.revisions(ctx, o.Namespace, o.Name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", o, err)
	}
	r, err := f.revision(ctx, kept.resource, o, revision)
	if err != nil {
		return "", fmt.Errorf("%s: %w", o, err)
	}
	return r.Failure, nil
}

// helm finds the objects of the latest revision of a release.
func (f *finder) helm(ctx context.Context, o Owner) ([]observe.Target, error) {
	all, revision, err := f.releaseObjects(ctx, o)
	if err == nil {
		f.release = &revision
	}
	return all, err
}

// releaseObjects finds the latest revision of a release and its objects, as
// printed by helm get manifest. Hooks are not included.
func (f *finder) releaseObjects(ctx context.Context, o Owner) ([]observe.Target, Revision, error) {
	kept, err := f.revisions(ctx, o.Namespace, o.Name)
	if err != nil {
		return nil, Revision{}, err
	}
	last := kept.revisions[len(kept.revisions)-1]
	r, err := f.revision(ctx, kept.resource, o, last.Number)
	if err != nil {
		return nil, Revision{}, err
	}
	refs, err := refsOf(r.Manifest)
	if err != nil {
		return nil, Revision{}, fmt.Errorf("revision %d: %w", r.Version, err)
	}
	last.Status, last.Description = r.Status, r.Failure
	home := r.Namespace
	if home == "" {
		home = o.Namespace
	}
	return f.targets(refs, home), last, nil
}

// storedRevisions are the revisions of a release, the oldest first, and the
// resource in which they are stored. There is at least one.
type storedRevisions struct {
	resource  schema.GroupVersionResource
	revisions []Revision
}

// revisions lists the metadata of all revisions of a release in Helm's storage:
// Secrets, or ConfigMaps.
func (f *finder) revisions(ctx context.Context, namespace, name string) (storedRevisions, error) {
	set := labels.Set{"owner": "helm", "name": name}
	if _, err := set.AsValidatedSelector(); err != nil {
		return storedRevisions{}, fmt.Errorf("%q: want the name of a release, which must be a valid label value", name)
	}
	var denied error
	for _, kept := range []schema.GroupVersionResource{secrets, configMaps} {
		all, err := f.list(ctx, kept, namespace, set.String())
		switch {
		case apierrors.IsForbidden(err):
			denied = cmp.Or(denied, err)
			continue
		case err != nil:
			return storedRevisions{}, err
		}
		if found := revisionsOf(all, name); len(found) > 0 {
			return storedRevisions{kept, found}, nil
		}
	}
	if denied != nil {
		return storedRevisions{}, denied
	}
	return storedRevisions{}, &NotFoundError{fmt.Sprintf(
		"no release with that name in namespace %s (searched Secrets and ConfigMaps with the labels %s)", namespace, set)}
}

// releaseType is the type of the Secrets of Helm.
const releaseType = "helm.sh/release.v1"

// objectPrefix returns the prefix of the names of a release's storage objects.
func objectPrefix(name string) string { return "sh.helm.release.v1." + name + ".v" }

// objectName returns the name of the storage object of a revision.
func objectName(name string, revision int64) string {
	return objectPrefix(name) + strconv.FormatInt(revision, 10)
}

// revisionsOf returns the revisions in the metadata of storage objects, the oldest first. It ignores
// objects whose name and labels disagree.
func revisionsOf(all []metav1.PartialObjectMetadata, name string) (found []Revision) {
	for _, m := range all {
		number, ok := strings.CutPrefix(m.Name, objectPrefix(name))
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n < 0 || objectName(name, n) != m.Name {
			continue
		}
		if version := m.Labels["version"]; version != "" && version != number {
			continue
		}
		r := Revision{Number: n, Status: m.Labels["status"], Began: m.CreationTimestamp.Time}
		if strings.HasPrefix(r.Status, "pending-") {
			r.Since = r.Began
		}
		// Helm copies the label from the revision before, so that an upgrade may have an older time.
		if seconds, err := strconv.ParseInt(m.Labels["modifiedAt"], 10, 64); err == nil && time.Unix(seconds, 0).After(r.Began) {
			r.Since = time.Unix(seconds, 0)
		}
		found = append(found, r)
	}
	slices.SortFunc(found, func(x, y Revision) int { return cmp.Compare(x.Number, y.Number) })
	return found
}

// revision reads one revision. Its name changes each time, so an RBAC rule
// cannot name it.
func (f *finder) revision(ctx context.Context, kept schema.GroupVersionResource, o Owner, number int64) (release.Release, error) {
	f.recordRead("get", kept, o.Namespace, "")
	u, err := f.getByVaryingName(ctx, kept, o.Namespace, objectName(o.Name, number))
	if err != nil {
		return release.Release{}, err
	}
	where := nameOf(u) + ": data.release"
	text, found, err := unstructured.NestedString(u.Object, "data", "release")
	if err != nil || !found {
		return release.Release{}, fmt.Errorf("%s: want a string, have none", where)
	}
	r, err := release.Decode(text, kept == secrets)
	if err != nil {
		return release.Release{}, fmt.Errorf("%s: want a release as Helm writes it: %w", where, err)
	}
	if err := checkRevision(u, r, o, number); err != nil {
		return release.Release{}, fmt.Errorf("%s: %w", nameOf(u), err)
	}
	return r, nil
}

// checkRevision returns an error for a storage object that is not as Helm writes it. Another writer
// could otherwise replace the latest revision, such as by a copy of another release. The namespace of
// the release may differ from that of the Secret: with Flux, it is spec.targetNamespace.
func checkRevision(u *unstructured.Unstructured, r release.Release, o Owner, number int64) error {
	if have := decoded.Text(u.Object, "type"); u.GetKind() == "Secret" && have != releaseType {
		return fmt.Errorf("want the type %s, have %q", releaseType, have)
	}
	if r.Name != o.Name || r.Version != number {
		return fmt.Errorf("want revision %d of release %s, have revision %d of release %q", number, o.Name, r.Version, r.Name)
	}
	return nil
}
