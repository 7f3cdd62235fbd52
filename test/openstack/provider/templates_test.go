package provider

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/cluster-api/cmd/clusterctl/client/yamlprocessor"

	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/openstack/openstackshop"
)

// The files that users apply with clusterctl.
const (
	clusterTemplate = "cluster-template.yaml"
	clusterClass    = "clusterclass-openstack.yaml"
	kubeadmClass    = "clusterclass-kubeadm.yaml"
)

// templateVariables are the variables of the template of a Cluster. clusterctl sets the first four.
var templateVariables = map[string]string{
	"CLUSTER_NAME":                           "shop",
	"KUBERNETES_VERSION":                     "v1.36.3",
	"CONTROL_PLANE_MACHINE_COUNT":            "3",
	"WORKER_MACHINE_COUNT":                   "2",
	"OPENSTACK_CLOUD":                        "stack",
	"OPENSTACK_CLOUD_YAML_B64":               "Y2xvdWRzOiB7fQo=",
	"OPENSTACK_CONTROL_PLANE_MACHINE_FLAVOR": "large",
	"OPENSTACK_DNS_NAMESERVERS":              "192.0.2.53",
	"OPENSTACK_EXTERNAL_NETWORK_ID":          "6f1a4e0c-8e3b-4f0e-9a77-0f4a1f6f3a51",
	"OPENSTACK_IMAGE_NAME":                   "debian",
	"OPENSTACK_NODE_MACHINE_FLAVOR":          "small",
	"OPENSTACK_REGION":                       "RegionOne",
	"OPENSTACK_SSH_KEY_NAME":                 "key",
}

// The API server accepts the templates without an unknown field. A misspelt field of each of the four
// providers is rejected, so this test finds one.
func TestTemplatesAreAccepted(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	for _, test := range []struct {
		it      string
		files   []string
		old     string // text of the files
		new     string // text that replaces it
		unknown string // the unknown field
	}{
		{it: "is a Cluster", files: []string{clusterTemplate}},
		{it: "is a ClusterClass", files: []string{kubeadmClass, clusterClass}},
		{it: "misspells a field of a Cluster", files: []string{clusterTemplate}, old: "serviceDomain:", new: "serviceDomian:", unknown: "spec.clusterNetwork.serviceDomian"},
		{it: "misspells a field of an OpenStackCluster", files: []string{clusterTemplate}, old: "dnsNameservers:", new: "dnsNameserver:", unknown: "spec.managedSubnets[0].dnsNameserver"},
		{it: "misspells a field of a KubeadmControlPlane", files: []string{clusterTemplate}, old: "controllerManager:", new: "controllermanager:", unknown: "spec.kubeadmConfigSpec.clusterConfiguration.controllermanager"},
		{it: "misspells a field of a KubeadmConfigTemplate", files: []string{kubeadmClass}, old: "  joinConfiguration:", new: "  joinConfig:", unknown: "joinConfig"},
		{it: "misspells a field of a ClusterClass", files: []string{clusterClass}, old: "nodeStartupTimeoutSeconds:", new: "nodeStartupTimeout:", unknown: "healthCheck.checks.nodeStartupTimeout"},
	} {
		t.Run(test.it, func(t *testing.T) {
			t.Parallel()
			c := live.Cluster(t)
			installKubeadm(t, c)
			w := openstackshop.New(t, c)
			var err error
			for _, file := range test.files {
				for _, obj := range render(t, file, test.old, test.new) {
					if err == nil {
						err = create(w, obj)
					}
				}
			}
			switch {
			case test.unknown == "" && err != nil:
				t.Error(err)
			case test.unknown != "" && (err == nil || !strings.Contains(err.Error(), "unknown field") || !strings.Contains(err.Error(), test.unknown+`"`)):
				t.Errorf("have the error %v, want the unknown field %s", err, test.unknown)
			}
		})
	}
}

// topologyOfClass is a Cluster of the ClusterClass with all variables.
const topologyOfClass = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: shop}
spec:
  topology:
    classRef: {name: openstack}
    version: v1.36.3
    controlPlane: {replicas: 1}
    workers:
      machineDeployments:
      - {class: default, name: web, replicas: 1}
    variables:
    - {name: identity, value: {secret: cloud-config, cloud: stack}}
    - {name: image, value: debian}
    - {name: flavor, value: small}
    - {name: externalNetworkID, value: 6f1a4e0c-8e3b-4f0e-9a77-0f4a1f6f3a51}
`

// Core makes the objects of a Cluster from the ClusterClass, with the values of its variables.
func TestClusterOfTheKubeadmClass(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	c := live.Cluster(t)
	installKubeadm(t, c)
	w := openstackshop.New(t, c)
	for _, file := range []string{kubeadmClass, clusterClass} {
		for _, obj := range render(t, file, "", "") {
			if err := create(w, obj); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.Apply(topologyOfClass)
	w.WaitFor(clusters, "shop", "TopologyReconciled=True")
	for kind, want := range map[string]map[string]any{
		"KubeadmControlPlane": {"spec.version": "v1.36.3"},
		"OpenStackCluster": {
			"spec.identityRef.name": "cloud-config", "spec.identityRef.cloudName": "stack", "spec.externalNetwork.id": "6f1a4e0c-8e3b-4f0e-9a77-0f4a1f6f3a51",
		},
		"OpenStackMachineTemplate": {"spec.template.spec.image.filter.name": "debian", "spec.template.spec.flavor.filter.name": "small"},
	} {
		objects := ownedByTopology(w, kind)
		if len(objects) == 0 {
			t.Errorf("core has created no %s", kind)
		}
		for _, obj := range objects {
			for path, value := range want {
				if have := field(&obj, strings.Split(path, ".")...); have != value {
					t.Errorf("%s %s: %s is %v, want %v", kind, obj.GetName(), path, have, value)
				}
			}
		}
	}
}

// ownedByTopology lists the objects of a kind that core has created for a topology.
func ownedByTopology(w *openstackshop.Shop, kind string) []unstructured.Unstructured {
	w.T.Helper()
	gvk := osClusters.GroupVersion().WithKind(kind)
	if kind == "KubeadmControlPlane" {
		gvk = schema.GroupVersionKind{Group: "controlplane.cluster.x-k8s.io", Version: "v1beta2", Kind: kind}
	}
	resource, _ := meta.UnsafeGuessKindToResource(gvk)
	list, err := w.Client(resource).List(w.T.Context(), metav1.ListOptions{LabelSelector: "topology.cluster.x-k8s.io/owned"})
	if err != nil {
		w.T.Fatal(err)
	}
	return list.Items
}

// render returns the objects of a template as clusterctl makes them. All occurrences of the text old
// are replaced by new.
func render(t *testing.T, file, old, new string) []*unstructured.Unstructured {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../examples/openstack/config/templates", file))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if old != "" {
		if text = strings.ReplaceAll(text, old, new); text == string(data) {
			t.Fatalf("%s does not have %q", file, old)
		}
	}
	used := map[string]bool{}
	data, err = yamlprocessor.NewSimpleProcessor().Process([]byte(text), func(name string) (string, error) {
		used[name] = true
		value, ok := templateVariables[name]
		if !ok {
			return "", fmt.Errorf("variable %s has no value", name)
		}
		return value, nil
	})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for name := range templateVariables {
		if file == clusterTemplate && !used[name] {
			t.Errorf("%s does not use the variable %s", file, name)
		}
	}
	objects, err := apply.Parse(data)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return objects
}

// create creates an object, and fails if it has an unknown field.
func create(w *openstackshop.Shop, obj *unstructured.Unstructured) error {
	resource, _ := meta.UnsafeGuessKindToResource(obj.GroupVersionKind())
	_, err := w.Client(resource).Create(w.T.Context(), obj, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	if err != nil {
		return fmt.Errorf("create %s %s: %w", obj.GetKind(), obj.GetName(), err)
	}
	return nil
}

// kubeadm is installed once, however many tests need it.
var kubeadm sync.Once

// installKubeadm installs the definitions of the providers for kubeadm, and waits until the API server
// serves them. It adds the label for the contract, as their kustomizations do.
func installKubeadm(t *testing.T, c *cluster.Cluster) {
	t.Helper()
	kubeadm.Do(func() {
		module, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/cluster-api").Output()
		if err != nil {
			t.Fatalf("go list -m sigs.k8s.io/cluster-api: %v", err)
		}
		var definitions []*unstructured.Unstructured
		for _, provider := range []string{"bootstrap", "controlplane"} {
			found, err := apply.File(filepath.Join(strings.TrimSpace(string(module)), provider, "kubeadm/config/crd/bases"))
			if err != nil {
				t.Fatal(err)
			}
			definitions = append(definitions, found...)
		}
		for _, d := range definitions {
			d.SetLabels(map[string]string{"cluster.x-k8s.io/v1beta2": "v1beta2"})
		}
		if err := apply.To(t.Context(), c.Config(), "default", definitions, nil); err != nil {
			t.Fatal(err)
		}
		w := openstackshop.New(t, c)
		for _, d := range definitions {
			r := schema.GroupVersionResource{Group: field(d, "spec", "group").(string), Version: "v1beta2", Resource: field(d, "spec", "names", "plural").(string)}
			w.Until(r.Resource+" are served", func() bool {
				_, err := w.Client(r).List(t.Context(), metav1.ListOptions{})
				return err == nil
			})
		}
	})
}
