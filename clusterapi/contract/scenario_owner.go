package contract

import (
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
)

// owner is the normal case: objects get their owners and become provisioned.
var owner = &Scenario{
	Name:  "owner",
	Rules: []string{"C-ALL-7", "C-ALL-12", "C-IC-1", "C-IC-2", "C-IC-3", "C-IC-4", "C-IC-6", "C-IM-1", "C-IM-2", "C-IM-3", "C-IM-6", "C-IM-11"},
	Doc: "Objects get their owners. They become provisioned and stay so, with a finalizer, a complete endpoint and a providerID " +
		"that exist first and never change, and report Ready.",
	run: func(f *fixture) error {
		machines, err := f.createCluster(false, nil)
		if err != nil {
			return err
		}
		if err := f.provision(machines); err != nil {
			return err
		}
		for _, a := range machines.subjects() {
			rule := map[string]string{infraCluster: "C-IC-6", infraMachine: "C-IM-6"}[a.role]
			if _, err := f.await(rule, a, "reporting Ready=True", hasCondition("Ready", "True")); err != nil && err != errUnmet {
				return err
			}
		}
		if err := f.waitQuietPeriod(); err != nil {
			return err
		}
		if err := machines.each(f.checkHistory); err != nil {
			return err
		}
		return f.expectMachineWaiting(machines)
	},
}

// checkHistory checks all versions of an object for states that must not be
// visible.
func (f *fixture) checkHistory(s subject) error {
	versions, _, err := f.env.stream.of(s.Unstructured)
	if err != nil {
		return err
	}
	path, sticky, identity := []string{"spec", "providerID"}, "C-IM-3", "C-IM-2"
	if s.role == infraCluster {
		path, sticky, identity = []string{"spec", "controlPlaneEndpoint"}, "C-IC-2", "C-IC-4"
	}
	var known any
	was := false
	for _, v := range versions {
		id := decoded.At(v.Object, path...)
		if known != nil && !reflect.DeepEqual(known, id) {
			f.report(identity, s, "%s changed from %s to %s in version %s", path[1], short(known), short(id), v.GetResourceVersion())
		}
		if complete(s.role, id) {
			known = id
		}
		if known != nil && len(v.GetFinalizers()) == 0 && !was {
			f.report("C-ALL-7", s, "%s is set in version %s, before the finalizer", path[1], v.GetResourceVersion())
			was = true
		}
		if initialized(v) {
			f.checkProvisionedWith(s, v, known)
			break
		}
	}
	f.checkStaysProvisioned(s, sticky, versions)
	return nil
}

// checkProvisionedWith checks the fields of the first version in which an
// object is provisioned.
func (f *fixture) checkProvisionedWith(s subject, v *unstructured.Unstructured, identity any) {
	if len(v.GetFinalizers()) == 0 {
		f.report("C-ALL-7", s, "it is provisioned in version %s, but has no finalizer", v.GetResourceVersion())
	}
	switch {
	case identity != nil:
	case s.role == infraMachine:
		f.report("C-IM-1", s, "it is provisioned in version %s, but has no spec.providerID", v.GetResourceVersion())
	default:
		f.report("C-IC-3", s, "it is provisioned in version %s, but has no complete spec.controlPlaneEndpoint", v.GetResourceVersion())
	}
}

func (f *fixture) checkStaysProvisioned(s subject, rule string, versions []*unstructured.Unstructured) {
	was, lost := false, false
	for _, v := range versions {
		if was && !lost && !initialized(v) {
			f.report(rule, s, "it was provisioned, and is no longer in version %s", v.GetResourceVersion())
			lost = true
		}
		was = was || initialized(v)
	}
	if was && decoded.At(versions[len(versions)-1].Object, "status", "observedGeneration") == nil {
		f.report("C-ALL-12", s, "it is provisioned, but has no status.observedGeneration")
	}
}

// complete reports whether a providerID or an endpoint has all its parts.
func complete(role string, id any) bool {
	if role == infraMachine {
		text, _ := id.(string)
		return text != ""
	}
	endpoint, _ := id.(map[string]any)
	return decoded.Text(endpoint, "host") != "" && endpoint["port"] != nil
}

// expectMachineWaiting reports a machine that did not wait for the infrastructure of its Cluster.
func (f *fixture) expectMachineWaiting(machines *clusterMachines) error {
	if machines.machine == nil {
		return nil
	}
	clusters, _, err := f.env.stream.of(machines.cluster)
	if err != nil {
		return err
	}
	versions, _, err := f.env.stream.of(machines.im.Unstructured)
	if err != nil {
		return err
	}
	var since uint64
	for _, v := range clusters {
		if since == 0 && decoded.Bool(v.Object, "status", "initialization", "infrastructureProvisioned") {
			since = integer.OfVersion(v.GetResourceVersion())
		}
	}
	for _, v := range versions {
		if complete(infraMachine, decoded.At(v.Object, "spec", "providerID")) {
			if since == 0 || integer.OfVersion(v.GetResourceVersion()) < since {
				f.report("C-IM-11", machines.im, "it has a providerID in version %s, before the infrastructure of its Cluster is provisioned", v.GetResourceVersion())
			}
			break
		}
	}
	return nil
}
