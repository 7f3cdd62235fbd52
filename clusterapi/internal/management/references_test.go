package management_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
)

func TestReferences(t *testing.T) {
	for _, row := range []struct{ it, box, want string }{
		{"names an identity by its name", "{spec: {identityRef: {name: id}}}", "spec.identityRef Secret shop/id credentials"},
		{"names an identity by its kind", "{spec: {identityRef: {kind: Login, name: id}}}", "spec.identityRef Login shop/id credentials"},
		{"names an identity with its group", "{spec: {identityRef: {apiGroup: g, kind: Login, name: id}}}", "spec.identityRef Login.g shop/id credentials"},
		{"names an identity with its version", "{spec: {identityRef: {apiVersion: g/v1, kind: Login, name: id}}}", "spec.identityRef Login.g shop/id credentials"},
		{"names an identity of the core group", "{spec: {identityRef: {apiVersion: v1, kind: Secret, name: id}}}", "spec.identityRef Secret shop/id credentials"},
		{"names an identity in another namespace", "{spec: {identityRef: {name: id, namespace: base}}}", "spec.identityRef Secret base/id credentials"},
		{"names the Secret of a cloud", "{spec: {cloudCredentialsRef: {cloudName: openstack, secretName: cloud}}}", "spec.cloudCredentialsRef.secretName Secret shop/cloud credentials"},
		{"has a secretRef", "{spec: {deep: {secretRef: {name: s, key: token}}}}", "spec.deep.secretRef Secret shop/s credentials"},
		{"has a secretRef that is a text", "{spec: {secretRef: s}}", "spec.secretRef Secret shop/s credentials"},
		{"has credentials", "{spec: {credentialsRef: {name: c}}}", "spec.credentialsRef Secret shop/c credentials"},
		{"has the name of a Secret", "{spec: {secretName: s}}", "spec.secretName Secret shop/s credentials"},
		{"has the name of bootstrap data", "{spec: {bootstrap: {dataSecretName: d}}}", "spec.bootstrap.dataSecretName Secret shop/d credentials"},
		{"has files", "{spec: {files: [{path: a}, {contentFrom: {secret: {name: s, key: k}}}]}}", "spec.files[].contentFrom.secret Secret shop/s credentials"},
		{"has a pool", "{spec: {poolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: Pool, name: p}}}", "spec.poolRef Pool.ipam.cluster.x-k8s.io shop/p"},
		{"has a template", "{spec: {infrastructure: {templateRef: {apiVersion: g/v1, kind: T, name: t}}}}", "spec.infrastructure.templateRef T.g shop/t"},
		{"has lists of references", "{spec: {resources: [{kind: Secret, name: s}, {kind: ConfigMap, name: c}]}}", "spec.resources[] ConfigMap shop/c, spec.resources[] Secret shop/s"},
		{"has a name only", "{spec: {classRef: {name: x}, machine: {name: y}}}", ""},
		{"has empty names", "{spec: {secretName: '', identityRef: {name: ''}, ref: {kind: Login, name: ''}}}", ""},
		{"has no texts", "{spec: {secretName: 7, identityRef: {name: [x]}, poolRef: {kind: {}, name: p}}}", ""},
		{"has a spec that is no object", "{spec: [secretName]}", ""},
		{"has references in its status", "{status: {identityRef: {name: id}}}", ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			var have []string
			for _, r := range parse(t, "Box shop/b : "+row.box).Objects[0].References {
				text := fmt.Sprintf("%s %s %s/%s", r.Path, r.GroupKind(), r.Namespace, r.Name)
				if r.Credentials {
					text += " credentials"
				}
				have = append(have, text)
			}
			if strings.Join(have, ", ") != row.want {
				t.Errorf("the references are %q, want %q", strings.Join(have, ", "), row.want)
			}
		})
	}
}

func TestReferencesFindObjects(t *testing.T) {
	const objects = "Secret shop/s\nSecret base/s\nLogin shop/l\nRealm r\nGlobalPool g\nPool shop/p\n"
	for _, row := range []struct{ it, reference, want string }{
		{"finds a Secret", "identityRef: {name: s}", "Secret shop/s"},
		{"finds a Secret of another namespace", "identityRef: {name: s, namespace: base}", "Secret base/s"},
		{"finds a kind without its group", "identityRef: {kind: Login, name: l}", "Login shop/l"},
		{"finds a cluster-scoped object without its group", "identityRef: {kind: Realm, name: r}", "Realm r"},
		{"finds a cluster-scoped object with its group", "poolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: GlobalPool, name: g}", "GlobalPool g"},
		{"finds nothing of another group", "poolRef: {apiGroup: other.example, kind: Pool, name: p}", ""},
		{"finds nothing in another namespace", "identityRef: {kind: Login, name: l, namespace: base}", ""},
		{"finds nothing of that name", "identityRef: {name: other}", ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			references := parse(t, objects+"Box shop/b : {spec: {"+row.reference+"}}").Owner("Box shop/b").References
			have := ""
			if len(references) == 1 && references[0].Object != nil {
				have = string(references[0].Object.GetUID())
			}
			if have != row.want {
				t.Errorf("%d references, to %q, want %q", len(references), have, row.want)
			}
		})
	}
}

// nest returns an object with lists or objects in each other, around a reference.
func nest(depth int, before, after string) string {
	return "Box shop/b : {spec: {f: " + strings.Repeat(before, depth) + "{identityRef: {name: id}}" + strings.Repeat(after, depth) + "}}"
}

func TestHostileReferences(t *testing.T) {
	for _, row := range []struct {
		it, box string
		most    int
	}{
		{"has a reference at a usual depth", nest(5, "[{f: ", "}]"), 1},
		{"has objects in objects", nest(2000, "{f: ", "}"), 0},
		{"has lists in lists", nest(2000, "[", "]"), 0},
		{"has many references", "Box shop/b : {spec: {refs: [" + strings.Repeat("{secretName: s},", 20000) + "]}}", 1000},
	} {
		t.Run(row.it, func(t *testing.T) {
			parsed := parse(t, row.box)
			start := time.Now()
			if n := len(parsed.Owner("Box shop/b").References); n != row.most {
				t.Errorf("it has %d references, want %d", n, row.most)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// An object with too many references has always the same ones.
func TestManyReferencesAreTheSame(t *testing.T) {
	text := ""
	for i := range 3000 {
		text += fmt.Sprintf("f%d: {secretName: s%d}, ", i, i)
	}
	names := func() (names []string) {
		for _, r := range parse(t, "Box shop/b : {spec: {"+text+"}}").Owner("Box shop/b").References {
			names = append(names, r.Name)
		}
		return names
	}
	if a, b := fmt.Sprint(names()), fmt.Sprint(names()); a != b {
		t.Error("the references of the same object differ")
	}
}

func FuzzGraph(f *testing.F) {
	f.Add(family)
	f.Add("Cluster shop/a\nCluster shop/b\nBox shop/x < Box shop/y < Cluster shop/b\nBox shop/y < Box shop/z\nBox shop/z < Box shop/x < Cluster shop/a\nBox shop/d < Box shop/y")
	f.Add("Box shop/b : {spec: {identityRef: {name: id}}}")
	f.Add("Cluster shop/a : {spec: {topology: {classRef: {name: std}}}}\nClusterClass shop/std")
	f.Fuzz(func(t *testing.T, lines string) {
		objects, err := clusterapitest.Parse(lines)
		if err != nil {
			return
		}
		g := management.NewGraph(objects)
		for _, o := range g.Objects {
			for _, owner := range o.Owners {
				if g.Owner(owner.GetUID()) == nil && g.Get(owner.ID()) == nil {
					t.Errorf("%s has an owner that is not in the graph", o.ID())
				}
			}
			if !slices.Equal(o.Clusters, nearest(o)) {
				t.Errorf("%s has the Clusters %q, want %q", o.ID(), uids(o.Clusters), uids(nearest(o)))
			}
			if g.Get(o.ID()) != o {
				t.Errorf("%s is not found by its ID", o.ID())
			}
		}
	})
}
