package sets

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/observe"
)

// helm finds the objects of the latest revision of a release, as helm get
// manifest prints them: hooks are run and gone, so that they are none of them.
func (f *finder) helm(ctx context.Context, o Owner) ([]observe.Target, error) {
	r, err := f.release(ctx, o.Namespace, o.Name)
	if err != nil {
		return nil, err
	}
	refs, err := refsOf(r.manifest)
	if err != nil {
		return nil, fmt.Errorf("revision %d: %w", r.version, err)
	}
	switch {
	case strings.HasPrefix(r.status, "pending-"):
		f.note("%s: its latest revision, %d, is %s: until Helm is done with it, objects may be as an earlier revision has left them", o, r.version, r.status)
	case r.status != "deployed":
		f.note("%s: its latest revision, %d, is %s", o, r.version, r.status)
	}
	home := r.namespace
	if home == "" {
		home = o.Namespace
	}
	return f.targets(refs, home), nil
}

// release reads the latest revision of a release from where Helm keeps it: in
// Secrets, or if it was told so in ConfigMaps. Of all revisions the metadata
// are listed, and then one is read.
func (f *finder) release(ctx context.Context, namespace, name string) (release, error) {
	set := labels.Set{"owner": "helm", "name": name}
	if _, err := set.AsValidatedSelector(); err != nil {
		return release{}, fmt.Errorf("%q: want the name of a release, which is a value of a label", name)
	}
	var denied error
	for _, kept := range []schema.GroupVersionResource{secrets, configMaps} {
		all, err := f.list(ctx, kept, namespace, set.String())
		switch {
		case apierrors.IsForbidden(err):
			denied = cmp.Or(denied, err)
			continue
		case err != nil:
			return release{}, err
		}
		if last := latest(all, name); last != "" {
			return f.revision(ctx, kept, namespace, last)
		}
	}
	if denied != nil {
		return release{}, denied
	}
	return release{}, &NotFoundError{fmt.Sprintf(
		"no release of that name in namespace %s (looked at Secrets and ConfigMaps with the labels %s)", namespace, set)}
}

// latest returns the name of the object that holds the revision with the highest number.
func latest(all []metav1.PartialObjectMetadata, name string) (last string) {
	highest := -1
	for _, m := range all {
		number, ok := strings.CutPrefix(m.Name, "sh.helm.release.v1."+name+".v")
		if !ok {
			continue
		}
		if n, err := strconv.Atoi(number); err == nil && n > highest {
			highest, last = n, m.Name
		}
	}
	return last
}

// revision reads one revision. Its name changes with each, so that no rule can name it.
func (f *finder) revision(ctx context.Context, kept schema.GroupVersionResource, namespace, name string) (release, error) {
	f.recordRead("get", kept, namespace, "")
	u, err := f.getVarying(ctx, kept, namespace, name)
	if err != nil {
		return release{}, err
	}
	where := nameOf(u) + ": data.release"
	text, found, err := unstructured.NestedString(u.Object, "data", "release")
	if err != nil || !found {
		return release{}, fmt.Errorf("%s: want a string, have none", where)
	}
	r, err := decodeRelease(text, kept == secrets)
	if err != nil {
		return release{}, fmt.Errorf("%s: want a release as Helm writes it: %w", where, err)
	}
	return r, nil
}
