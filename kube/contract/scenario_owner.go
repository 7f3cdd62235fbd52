package contract

import (
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// owner is the way that every object takes: its owner is set, and it becomes provisioned.
var owner = &Scenario{
	Name:  "owner",
	Rules: []string{"C-ALL-7", "C-ALL-12", "C-IC-1", "C-IC-2", "C-IC-3", "C-IC-4", "C-IC-6", "C-IM-1", "C-IM-2", "C-IM-3", "C-IM-6", "C-IM-11"},
	Doc: "Objects get their owners. They become provisioned and stay so, with a finalizer, a complete endpoint and a providerID " +
		"that are there first and never change, and say Ready.",
	play: func(s *scene) error {
		f, err := s.arrange(false, nil)
		if err != nil {
			return err
		}
		if err := s.provision(f); err != nil {
			return err
		}
		for _, a := range f.actors() {
			rule := map[string]string{infraCluster: "C-IC-6", infraMachine: "C-IM-6"}[a.role]
			if _, err := s.await(rule, a, "saying Ready=True", is("Ready", "True")); err != nil && err != errUnmet {
				return err
			}
		}
		if err := s.quiet(); err != nil {
			return err
		}
		if err := f.each(s.history); err != nil {
			return err
		}
		return s.machineWaits(f)
	},
}

// history holds all versions of an object to what must never be seen.
func (s *scene) history(a actor) error {
	versions, _, err := s.stage.stream.of(a.Unstructured)
	if err != nil {
		return err
	}
	path, sticky, identity := []string{"spec", "providerID"}, "C-IM-3", "C-IM-2"
	if a.role == infraCluster {
		path, sticky, identity = []string{"spec", "controlPlaneEndpoint"}, "C-IC-2", "C-IC-4"
	}
	var known any
	was := false
	for _, v := range versions {
		id := value(v, path...)
		if known != nil && !reflect.DeepEqual(known, id) {
			s.find(identity, a, "%s was %s and is %s in version %s", path[1], short(known), short(id), v.GetResourceVersion())
		}
		if complete(a.role, id) {
			known = id
		}
		if known != nil && len(v.GetFinalizers()) == 0 && !was {
			s.find("C-ALL-7", a, "%s is set in version %s, before there is a finalizer", path[1], v.GetResourceVersion())
			was = true
		}
		if initialized(v) {
			s.provisionedWith(a, v, known)
			break
		}
	}
	s.staysProvisioned(a, sticky, versions)
	return nil
}

// provisionedWith holds the first version in which an object is provisioned to what has to be there by then.
func (s *scene) provisionedWith(a actor, v *unstructured.Unstructured, identity any) {
	if len(v.GetFinalizers()) == 0 {
		s.find("C-ALL-7", a, "it is provisioned in version %s and has no finalizer", v.GetResourceVersion())
	}
	switch {
	case identity != nil:
	case a.role == infraMachine:
		s.find("C-IM-1", a, "it is provisioned in version %s and has no spec.providerID", v.GetResourceVersion())
	default:
		s.find("C-IC-3", a, "it is provisioned in version %s and has no complete spec.controlPlaneEndpoint", v.GetResourceVersion())
	}
}

func (s *scene) staysProvisioned(a actor, rule string, versions []*unstructured.Unstructured) {
	was, lost := false, false
	for _, v := range versions {
		if was && !lost && !initialized(v) {
			s.find(rule, a, "it was provisioned and is not in version %s", v.GetResourceVersion())
			lost = true
		}
		was = was || initialized(v)
	}
	if was && value(versions[len(versions)-1], "status", "observedGeneration") == nil {
		s.find("C-ALL-12", a, "it is provisioned and has no status.observedGeneration")
	}
}

// complete says whether a providerID or an endpoint leads anywhere.
func complete(role string, id any) bool {
	if role == infraMachine {
		text, _ := id.(string)
		return text != ""
	}
	endpoint, _ := id.(map[string]any)
	host, _ := endpoint["host"].(string)
	return host != "" && endpoint["port"] != nil
}

// machineWaits holds a machine to having waited for the infrastructure of its Cluster.
func (s *scene) machineWaits(f *family) error {
	if f.machine == nil {
		return nil
	}
	clusters, _, err := s.stage.stream.of(f.cluster)
	if err != nil {
		return err
	}
	machines, _, err := s.stage.stream.of(f.im.Unstructured)
	if err != nil {
		return err
	}
	var since uint64
	for _, v := range clusters {
		if since == 0 && value(v, "status", "initialization", "infrastructureProvisioned") == true {
			since = number(v)
		}
	}
	for _, v := range machines {
		if complete(infraMachine, value(v, "spec", "providerID")) {
			if since == 0 || number(v) < since {
				s.find("C-IM-11", f.im, "it has a providerID in version %s, before the infrastructure of its Cluster is provisioned", v.GetResourceVersion())
			}
			break
		}
	}
	return nil
}
