package capi

import (
	"strings"

	"kstatus.dev/lint"
)

// A thing is an object of a provider: one whose kind has a role.
type thing struct {
	index     int
	raw       map[string]any
	role      Role
	contract  Contract
	group     string
	kind      string
	namespace string
	name      string
}

// A sight is all the objects that are looked at together.
type sight struct {
	objects []map[string]any
	things  []thing
	index   map[ref]int // into objects
	known   map[[2]string]kind
	ids     map[[3]string]int // of machines: the first with a provider ID, by group and kind
	users   map[ref]int       // from a provider's object to the Cluster, Machine or MachinePool that refers to it
}

// A ref names an object.
type ref struct{ group, kind, namespace, name string }

const coreGroup = "cluster.x-k8s.io"

func groupOf(apiVersion string) string {
	group, _, there := strings.Cut(apiVersion, "/")
	if !there {
		return ""
	}
	return group
}

func refOf(o map[string]any) ref {
	return ref{groupOf(text(o, "apiVersion")), text(o, "kind"), text(o, "metadata", "namespace"), text(o, "metadata", "name")}
}

// target returns what a reference of a core object means, in the namespace of
// that object. v1beta1 writes an apiVersion, v1beta2 an apiGroup.
func target(from map[string]any, names ...string) (ref, bool) {
	r := object(from, names...)
	group := text(r, "apiGroup")
	if group == "" {
		group = groupOf(text(r, "apiVersion"))
	}
	t := ref{group, text(r, "kind"), text(from, "metadata", "namespace"), text(r, "name")}
	return t, t.kind != "" && t.name != ""
}

// references are the fields by which core's kinds refer to objects of providers.
var references = []struct {
	kind  string
	names []string
}{
	{"Cluster", []string{"spec", "infrastructureRef"}},
	{"Cluster", []string{"spec", "controlPlaneRef"}},
	{"Machine", []string{"spec", "infrastructureRef"}},
	{"Machine", []string{"spec", "bootstrap", "configRef"}},
	{"MachinePool", []string{"spec", "template", "spec", "infrastructureRef"}},
	{"MachinePool", []string{"spec", "template", "spec", "bootstrap", "configRef"}},
}

type sightBy struct{ options *Options }

// sightOf returns what is seen of the objects of a run.
func (o *Options) sightOf(p *lint.Pass) *sight {
	return lint.Once(p, sightBy{o}, func() *sight { return o.look(p) })
}

func (o *Options) look(p *lint.Pass) *sight {
	s := &sight{objects: p.Bundle.Objects, index: map[ref]int{}, known: map[[2]string]kind{}, ids: map[[3]string]int{}, users: map[ref]int{}}
	for _, k := range o.kinds(p) {
		s.known[[2]string{k.Group, k.Kind}] = k
	}
	for i, raw := range p.Bundle.Objects {
		r := refOf(raw)
		s.index[r] = i
		if r.group == coreGroup {
			for _, reference := range references {
				if t, ok := target(raw, reference.names...); ok && reference.kind == r.kind {
					s.users[t] = i
				}
			}
			continue
		}
		if t, ok := o.thingOf(s, i, r); ok {
			s.things = append(s.things, t)
			key := t.idKey()
			if _, seen := s.ids[key]; !seen && t.role == InfraMachine {
				s.ids[key] = len(s.things) - 1
			}
		}
	}
	return s
}

// thingOf finds the role of an object by its definition, or else by its names.
func (o Options) thingOf(s *sight, i int, r ref) (thing, bool) {
	raw := s.objects[i]
	t := thing{index: i, raw: raw, group: r.group, kind: r.kind, namespace: r.namespace, name: r.name, contract: V1Beta2}
	if k, defined := s.known[[2]string{r.group, r.kind}]; defined {
		t.role, t.contract = k.role, k.contract
		return t, true
	}
	role, set := o.Roles[r.kind]
	if !set {
		role = RoleOf(r.group, r.kind, nil)
	}
	t.role = role
	if o.Contract != "" {
		t.contract = o.Contract
	}
	return t, role != NoRole
}

func (c *check) lookAtObjects(p *lint.Pass, o *Options) {
	q := &pass{Pass: p, options: o, sight: o.sightOf(p)}
	for _, t := range q.sight.things {
		if c.concerns(t.role, t.contract) {
			c.Object(q, t)
		}
	}
}

// found reports something about a field of an object.
func (p *pass) found(t thing, names, message, repair string) {
	p.ReportOn(t.index, path(names), message, repair, nil)
}

// initialized reports whether the object says that what it stands for has come
// to be, by the field that core reads.
func (t thing) initialized() bool {
	return isTrue(t.raw, strings.Split(Initialized(t.role, t.contract), ".")...)
}

// deleting reports whether somebody has deleted the object.
func (t thing) deleting() bool { return text(t.raw, "metadata", "deletionTimestamp") != "" }

// written reports whether the status has anything in it.
func (t thing) written() bool { return len(object(t.raw, "status")) > 0 }

// user returns the Cluster, Machine or MachinePool that refers to the object.
func (s *sight) user(t thing) (map[string]any, bool) {
	i, ok := s.users[ref{t.group, t.kind, t.namespace, t.name}]
	if !ok {
		return nil, false
	}
	return s.objects[i], true
}

func (t thing) idKey() [3]string {
	return [3]string{t.group, t.kind, text(t.raw, "spec", "providerID")}
}

// find returns an object by its name.
func (s *sight) find(r ref) (map[string]any, bool) {
	i, ok := s.index[r]
	if !ok {
		return nil, false
	}
	return s.objects[i], true
}

// cluster returns the Cluster that the object belongs to.
func (s *sight) cluster(t thing) (map[string]any, bool) {
	name := text(t.raw, "metadata", "labels", "cluster.x-k8s.io/cluster-name")
	if user, ok := s.user(t); ok {
		if text(user, "kind") == "Cluster" {
			return user, true
		}
		name = text(user, "spec", "clusterName")
	}
	return s.find(ref{coreGroup, "Cluster", t.namespace, name})
}
