package race

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

const (
	namespace       = "race"        // of the objects of the waits
	othersNamespace = "race-others" // of the others of their kinds
	siblings        = 3             // number of others of a kind
)

// An environment is the cluster with the kinds of the modes.
type environment struct {
	cluster *cluster.Cluster
	group   string // group of the kinds
	admin   *rest.Config
	objects dynamic.Interface
	clients map[string]*source.Client // clients of the users, by name
	peer    *cliUtils
}

// A waitingUser is a user who waits.
type waitingUser struct {
	name        string
	definitions bool // may read CustomResourceDefinitions
	others      bool // may list objects in all namespaces
}

var waitingUsers = []waitingUser{
	{"definitions-others", true, true}, {"definitions", true, false}, {"others", false, true}, {"neither", false, false},
}

// newEnvironment creates the kinds, the others of each and the users in a cluster.
func newEnvironment(ctx context.Context, c *cluster.Cluster, group string, modes []Mode) (*environment, error) {
	s := &environment{cluster: c, group: group, admin: c.Config(), clients: map[string]*source.Client{}}
	s.admin.QPS = -1
	var err error
	if s.objects, err = dynamic.NewForConfig(s.admin); err != nil {
		return nil, err
	}
	texts := []string{manifest.Namespace(namespace), manifest.Namespace(othersNamespace)}
	for _, m := range modes {
		version := manifest.V1("spec: {type: object, x-kubernetes-preserve-unknown-fields: true}, status: " + m.schema)
		if m.plain {
			version = strings.Replace(version, "subresources: {status: {}}, ", "", 1)
		}
		texts = append(texts, manifest.Definition(group, m.kind, version))
	}
	for _, a := range waitingUsers {
		texts = append(texts, a.permissions(group)...)
		if s.clients[a.name], err = source.NewClient(c.As(a.name), source.Options{}); err != nil {
			return nil, err
		}
	}
	all, err := apply.Parse([]byte(strings.Join(texts, "---\n")))
	if err == nil {
		err = apply.To(ctx, s.admin, namespace, all, nil)
	}
	if err != nil {
		return nil, err
	}
	for _, m := range modes {
		if err := s.populate(ctx, m); err != nil {
			return nil, err
		}
	}
	s.peer, err = newCLIUtils(s.admin)
	return s, err
}

// close closes the connections of the users.
func (s *environment) close() {
	for _, client := range s.clients {
		client.Close()
	}
}

// permissions returns the permissions of the audience for the kinds of a group.
func (a waitingUser) permissions(group string) []string {
	bound := func(kind, name, namespace, rules string) string {
		meta := "metadata: {name: " + group + "-" + name + namespace + "}\n"
		return "apiVersion: rbac.authorization.k8s.io/v1\nkind: " + kind + "\n" + meta + "rules: [" + rules + "]\n---\n" +
			"apiVersion: rbac.authorization.k8s.io/v1\nkind: " + kind + "Binding\n" + meta +
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: " + kind + ", name: " + group + "-" + name + namespace + "}\n" +
			"subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: " + a.name + "}]\n"
	}
	texts := []string{bound("Role", a.name, "", "{apiGroups: ["+group+"], resources: ['*'], verbs: [get, list, watch]}")}
	if a.definitions {
		texts = append(texts, bound("ClusterRole", a.name, "-definitions", "{apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [get]}"))
	}
	if a.others {
		texts = append(texts, bound("ClusterRole", a.name, "-others", "{apiGroups: ["+group+"], resources: ['*'], verbs: [list]}"))
	}
	return texts
}

// populate creates the others of a kind, once it is served.
func (s *environment) populate(ctx context.Context, m Mode) error {
	for i := range siblings {
		name := fmt.Sprintf("other-%d", i)
		limited, stop := context.WithTimeout(ctx, poll.Patience)
		err := poll.Until(limited, func() error {
			_, err := s.create(ctx, m, othersNamespace, name)
			return err
		})
		stop()
		if err == nil && m.others != nil {
			_, err = s.report(ctx, m, othersNamespace, name, m.others(1))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *environment) of(m Mode, namespace string) dynamic.ResourceInterface {
	return s.objects.Resource(schema.GroupVersionResource{Group: s.group, Version: "v1", Resource: strings.ToLower(m.kind) + "s"}).Namespace(namespace)
}

// create creates the object, as a user.
func (s *environment) create(ctx context.Context, m Mode, namespace, name string) (*unstructured.Unstructured, error) {
	return s.of(m, namespace).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": s.group + "/v1", "kind": m.kind, "metadata": map[string]any{"name": name}, "spec": map[string]any{"size": int64(1)},
	}}, metav1.CreateOptions{FieldManager: "user"})
}

// change changes the object, as a user.
func (s *environment) change(ctx context.Context, m Mode, name string) (*unstructured.Unstructured, error) {
	return s.of(m, namespace).Patch(ctx, name, types.MergePatchType, []byte(`{"spec": {"size": 2}}`), metav1.PatchOptions{FieldManager: "user"})
}

// report writes a status, as a controller.
func (s *environment) report(ctx context.Context, m Mode, namespace, name, state string) (*unstructured.Unstructured, error) {
	subresource := []string{"status"}
	if m.plain {
		subresource = nil
	}
	return s.of(m, namespace).Patch(ctx, name, types.MergePatchType, []byte(`{"status": `+state+`}`), metav1.PatchOptions{FieldManager: "controller"}, subresource...)
}
