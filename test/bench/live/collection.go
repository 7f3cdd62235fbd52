package main

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A collection is a set of many objects that do not change.
type collection struct {
	stage   *environment
	kinds   []quietKind
	targets []observe.Target
}

// collection creates the objects: the same number of each kind in each namespace.
func (s *environment) collection(ctx context.Context, count, spaces int) (*collection, error) {
	c := &collection{stage: s, kinds: quietKinds}
	for _, name := range []string{"Widget", "Gadget"} {
		if err := s.define(ctx, name); err != nil {
			return nil, err
		}
	}
	if err := each(ctx, spaces, func(i int) error { return s.namespace(ctx, fmt.Sprintf("space-%d", i)) }); err != nil {
		return nil, err
	}
	for i := range count {
		kind := c.kinds[i%len(c.kinds)]
		space := i / len(c.kinds) % spaces
		c.targets = append(c.targets, observe.Target{
			Kind:      status.Kind{Group: kind.resource.Group, Kind: kind.kind},
			Namespace: fmt.Sprintf("space-%d", space), Name: fmt.Sprintf("object-%d", i),
		})
	}
	err := each(ctx, count, func(i int) error {
		o, err := c.kinds[i%len(c.kinds)].object(c.targets[i])
		if err != nil {
			return err
		}
		return s.create(ctx, c.kinds[i%len(c.kinds)].resource, o)
	})
	printProgress("%d objects of %d kinds are made", count, len(c.kinds))
	return c, err
}

// touch changes a label of every object.
func (c *collection) touch(ctx context.Context) error {
	return each(ctx, len(c.targets), func(i int) error {
		t := c.targets[i]
		return c.stage.merge(ctx, c.kinds[i%len(c.kinds)].resource, t.Namespace, t.Name, `{"metadata":{"labels":{"touched":"true"}}}`)
	})
}

// A quietKind is a kind whose objects controllers leave alone, with the rest of an object of
// it.
type quietKind struct {
	kind     string
	resource resource
	body     string
}

func (k quietKind) object(t observe.Target) (*unstructured.Unstructured, error) {
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(k.body), &o.Object); err != nil {
		return nil, fmt.Errorf("%s: %w", k.kind, err)
	}
	if o.Object == nil {
		o.Object = map[string]any{}
	}
	o.SetAPIVersion(k.resource.GroupVersion().String())
	o.SetKind(k.kind)
	o.SetNamespace(t.Namespace)
	o.SetName(t.Name)
	return o, nil
}

const podTemplate = `{metadata: {labels: {app: a}}, spec: {restartPolicy: Never, containers: [{name: c, image: registry.example.com/c}]}}`

var quietKinds = []quietKind{
	{"ConfigMap", resource{Version: "v1", Resource: "configmaps"}, `data: {setting: value}`},
	{"Secret", resource{Version: "v1", Resource: "secrets"}, `stringData: {password: sesame}`},
	{"Service", resource{Version: "v1", Resource: "services"}, `spec: {clusterIP: None, ports: [{port: 80}]}`},
	{"ServiceAccount", resource{Version: "v1", Resource: "serviceaccounts"}, ``},
	{"LimitRange", resource{Version: "v1", Resource: "limitranges"}, `spec: {limits: [{type: Container, max: {cpu: "64"}}]}`},
	{"PodTemplate", resource{Version: "v1", Resource: "podtemplates"}, `template: ` + podTemplate},
	{"Pod", pods, `spec: {schedulingGates: [{name: bench.kstatus.dev/never}], containers: [{name: c, image: registry.example.com/c}]}`},
	{"PersistentVolumeClaim", resource{Version: "v1", Resource: "persistentvolumeclaims"},
		`spec: {storageClassName: manual, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}`},
	{"ReplicationController", resource{Version: "v1", Resource: "replicationcontrollers"},
		`spec: {replicas: 0, selector: {app: a}, template: ` + strings.Replace(podTemplate, "Never", "Always", 1) + `}`},
	{"ControllerRevision", resource{Group: "apps", Version: "v1", Resource: "controllerrevisions"}, `{revision: 1, data: {a: b}}`},
	{"Role", resource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"},
		`rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]`},
	{"RoleBinding", resource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"},
		`roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}`},
	{"NetworkPolicy", resource{Group: "networking.k8s.io", Version: "v1", Resource: "networkpolicies"}, `spec: {podSelector: {}}`},
	{"Ingress", resource{Group: "networking.k8s.io", Version: "v1", Resource: "ingresses"},
		`spec: {ingressClassName: none, defaultBackend: {service: {name: s, port: {number: 80}}}}`},
	{"PodDisruptionBudget", resource{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"},
		`spec: {minAvailable: 0, selector: {matchLabels: {app: none}}}`},
	{"Lease", resource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}, `spec: {holderIdentity: nobody}`},
	{"Job", resource{Group: "batch", Version: "v1", Resource: "jobs"}, `spec: {suspend: true, template: ` + podTemplate + `}`},
	{"CronJob", resource{Group: "batch", Version: "v1", Resource: "cronjobs"},
		`spec: {suspend: true, schedule: "0 0 * * *", jobTemplate: {spec: {template: ` + podTemplate + `}}}`},
	{"Widget", customResource("Widget"), readyStatus},
	{"Gadget", customResource("Gadget"), readyStatus},
}

const readyStatus = `status: {conditions: [{type: Ready, status: "True", reason: Made, message: it is made, lastTransitionTime: "2026-01-01T00:00:00Z"}]}`
