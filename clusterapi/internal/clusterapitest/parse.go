// Package clusterapitest writes objects of Cluster API as short lines of text, for tests.
package clusterapitest

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"kstatus.dev/clusterapi/internal/management"
)

// Kinds returns the kinds that the lines may name. A Box is a namespaced kind of a provider, a
// BoxTemplate has no status, and Realm and GlobalPool are cluster-scoped. The definition of Tenant
// has the label move-hierarchy, that of Note the label move. Image, Album and Archive are of a group
// that is not of Cluster API. The definition of Album has the label move, and Archive is
// cluster-scoped.
func Kinds() []*management.Kind {
	kind := func(group, name string, change ...func(*management.Kind)) *management.Kind {
		resource := strings.ToLower(name) + "s"
		k := &management.Kind{
			GroupVersionKind: schema.GroupVersionKind{Group: group, Version: "v1", Kind: name}, Resource: resource, Namespaced: true,
			HasStatus: group != "" && !strings.HasSuffix(name, "Template"), Versions: []string{"v1"},
		}
		if group != "" {
			k.Definition = resource + "." + group
		}
		for _, c := range change {
			c(k)
		}
		return k
	}
	const core, provider, ipam, addons, foreign = management.Group, "infrastructure." + management.Group, "ipam." + management.Group, "addons." + management.Group, "gallery.example.com"
	global := func(k *management.Kind) { k.Namespaced = false }
	labeled := func(label string) func(*management.Kind) {
		return func(k *management.Kind) { k.Labels = map[string]string{label: ""} }
	}
	return []*management.Kind{
		kind("", "Secret"), kind("", "ConfigMap"),
		kind(core, "Cluster"), kind(core, "ClusterClass"), kind(core, "Machine"),
		kind(core, "MachineDeployment"), kind(core, "MachineSet"),
		kind(addons, "ClusterResourceSet"), kind(addons, "ClusterResourceSetBinding"),
		kind(provider, "Box"), kind(provider, "BoxTemplate"), kind(provider, "Login"), kind(provider, "Realm", global),
		kind(ipam, "Pool"), kind(ipam, "GlobalPool", global), kind(ipam, "IPAddressClaim"), kind(ipam, "IPAddress"),
		kind(provider, "Tenant", labeled(management.MoveHierarchyLabel)), kind(provider, "Note", labeled(management.MoveLabel)),
		kind(foreign, "Image"), kind(foreign, "Album", labeled(management.MoveLabel)), kind(foreign, "Archive", global),
	}
}

// Parse reads objects from lines of this form, where all but the first two words may be missing:
//
//	KIND NAMESPACE/NAME < OWNER_KIND NAMESPACE/NAME [<…] LABEL=VALUE [@ANNOTATION=VALUE…] : YAML
//
// The name of a cluster-scoped object has no slash. The YAML is merged into the object. The UID of
// an object is its kind and name as in the line, also in the references of objects that it owns.
func Parse(lines string) ([]*management.Object, error) {
	kinds := map[string]*management.Kind{}
	for _, k := range Kinds() {
		kinds[k.Kind] = k
	}
	var all []*management.Object
	for line := range strings.Lines(lines) {
		head, text, _ := strings.Cut(strings.TrimSpace(line), " : ")
		if head == "" {
			continue
		}
		o, err := parse(strings.Fields(head), text, kinds)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		all = append(all, o)
	}
	return all, nil
}

func parse(words []string, text string, kinds map[string]*management.Kind) (*management.Object, error) {
	if len(words) < 2 || kinds[words[0]] == nil {
		return nil, fmt.Errorf("want a kind and a name")
	}
	k := kinds[words[0]]
	u := &unstructured.Unstructured{Object: map[string]any{}}
	if text != "" {
		data, err := yaml.YAMLToJSON([]byte(text))
		if err == nil {
			err = json.Unmarshal(data, &u.Object) // with whole numbers
		}
		if err != nil {
			return nil, err
		}
	}
	u.SetGroupVersionKind(k.GroupVersionKind)
	u.SetUID(uid(words[0], words[1]))
	u.SetResourceVersion("1")
	namespace, name := split(words[1])
	u.SetNamespace(namespace)
	u.SetName(name)
	labels, annotations, owners := u.GetLabels(), u.GetAnnotations(), []metav1.OwnerReference{}
	for rest := words[2:]; len(rest) > 0; {
		if rest[0] == "<" {
			if len(rest) < 3 {
				return nil, fmt.Errorf("want the kind and the name of an owner")
			}
			_, owner := split(rest[2])
			r := metav1.OwnerReference{APIVersion: "v1", Kind: rest[1], Name: owner, UID: uid(rest[1], rest[2])}
			if of := kinds[rest[1]]; of != nil {
				r.APIVersion = of.GroupVersion().String()
			}
			owners, rest = append(owners, r), rest[3:]
			continue
		}
		field, value, _ := strings.Cut(rest[0], "=")
		if annotation, is := strings.CutPrefix(field, "@"); is {
			annotations = with(annotations, annotation, value)
		} else {
			labels = with(labels, field, value)
		}
		rest = rest[1:]
	}
	u.SetLabels(labels)
	u.SetAnnotations(annotations)
	u.SetOwnerReferences(owners)
	return &management.Object{Kind: k, Unstructured: u}, nil
}

func with(fields map[string]string, name, value string) map[string]string {
	if fields == nil {
		fields = map[string]string{}
	}
	fields[name] = value
	return fields
}

func uid(kind, name string) types.UID { return types.UID(kind + " " + name) }

func split(name string) (namespace, rest string) {
	if namespace, rest, found := strings.Cut(name, "/"); found {
		return namespace, rest
	}
	return "", name
}
