package sets

import (
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/sets/internal/release"
)

// Revisions have the order of their numbers, and the time of the latest change.
func TestRevisionsOf(t *testing.T) {
	object := func(name, status, modified string) (m metav1.PartialObjectMetadata) {
		m.Name, m.Labels = name, map[string]string{"status": status, "modifiedAt": modified}
		m.CreationTimestamp = metav1.Unix(1000, 0)
		return m
	}
	mislabelled := object("sh.helm.release.v1.web.v11", "deployed", "")
	mislabelled.Labels["version"] = "12"
	have := revisionsOf([]metav1.PartialObjectMetadata{
		object("sh.helm.release.v1.web.v10", "pending-upgrade", ""), object("sh.helm.release.v1.web.v9", "deployed", "2000"),
		object("sh.helm.release.v1.web.v8", "superseded", "500"), object("sh.helm.release.v1.web.v1.v2", "deployed", ""),
		object("sh.helm.release.v1.web.v07", "deployed", ""), object("web", "deployed", ""),
		mislabelled,
	}, "web")
	want := []Revision{
		{Number: 8, Status: "superseded", Began: time.Unix(1000, 0)}, {Number: 9, Status: "deployed", Began: time.Unix(1000, 0), Since: time.Unix(2000, 0)},
		{Number: 10, Status: "pending-upgrade", Began: time.Unix(1000, 0), Since: time.Unix(1000, 0)},
	}
	if !slices.Equal(have, want) {
		t.Errorf("have %v, want %v", have, want)
	}
}

// A storage object counts only if it has the type of Helm. The release in it must have the name, the
// namespace and the number of its metadata.
func TestCheckRevision(t *testing.T) {
	owner := Owner{Type: TypeHelm, Namespace: "shop", Name: "web"}
	for _, row := range []struct {
		it, kind, objectType string
		r                    release.Release
		want                 string
	}{
		{"accepts a Secret", "Secret", releaseType, release.Release{Name: "web", Namespace: "shop", Version: 7}, ""},
		{"accepts a ConfigMap", "ConfigMap", "", release.Release{Name: "web", Namespace: "shop", Version: 7}, ""},
		{"refuses another type", "Secret", "Opaque", release.Release{Name: "web", Namespace: "shop", Version: 7}, `want the type helm.sh/release.v1, have "Opaque"`},
		{"refuses a Secret without a type", "Secret", "", release.Release{Name: "web", Namespace: "shop", Version: 7}, `want the type helm.sh/release.v1, have ""`},
		{"refuses an empty release", "Secret", releaseType, release.Release{}, `want revision 7 of release web, have revision 0 of release ""`},
		{"refuses another release", "Secret", releaseType, release.Release{Name: "api", Namespace: "shop", Version: 7}, `want revision 7 of release web, have revision 7 of release "api"`},
		{"refuses another number", "ConfigMap", "", release.Release{Name: "web", Namespace: "shop", Version: 6}, `want revision 7 of release web, have revision 6 of release "web"`},
		{"accepts the target namespace of Flux", "Secret", releaseType, release.Release{Name: "web", Namespace: "vault", Version: 7}, ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			u := &unstructured.Unstructured{Object: map[string]any{"kind": row.kind, "type": row.objectType}}
			have := ""
			if err := checkRevision(u, row.r, owner, 7); err != nil {
				have = err.Error()
			}
			if have != row.want {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}
