package config_test

import (
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"kstatus.dev/examples/openstack/config"
)

// validators returns the rules of each kind, as the API server evaluates them.
func validators(t *testing.T) map[string]func(old, obj map[string]any) string {
	t.Helper()
	text, err := config.CRDs()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]func(old, obj map[string]any) string{}
	for _, document := range strings.Split(text, "\n---\n") {
		crd := apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict([]byte(document), &crd); err != nil {
			t.Fatal(err)
		}
		internal := apiextensions.JSONSchemaProps{}
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(crd.Spec.Versions[0].Schema.OpenAPIV3Schema, &internal, nil); err != nil {
			t.Fatal(err)
		}
		structural, err := schema.NewStructural(&internal)
		if err != nil {
			t.Fatal(err)
		}
		validator := cel.NewValidator(structural, true, 10_000_000)
		all[crd.Spec.Names.Kind] = func(old, obj map[string]any) string {
			var before any
			if old != nil {
				before = old
			}
			errs, _ := validator.Validate(t.Context(), field.NewPath(""), structural, obj, before, 10_000_000)
			if err := errs.ToAggregate(); err != nil {
				return err.Error()
			}
			return ""
		}
	}
	return all
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	obj := map[string]any{}
	if err := json.Unmarshal(data, &obj); err != nil { // whole numbers become int64
		t.Fatal(err)
	}
	return obj
}

// Until a resource exists, a user can correct each field. After that, only some fields change.
func TestWhichChangesAreAllowed(t *testing.T) {
	const (
		cluster = "{identityRef: {name: s, cloudName: c}, managedSubnets: [{cidr: 10.0.0.0/24}], apiServer: {port: 6443, managedLoadBalancer: {enabled: true}}}"
		done    = "{initialization: {provisioned: true}, conditions: [{type: Ready}]}"
		machine = "{image: {id: a}, flavor: {id: b}, ports: [{nameSuffix: x}], tags: [a]}"
	)
	kinds := validators(t)
	for name, test := range map[string]struct {
		kind, old, change string // the change replaces one part of the text
		with, want        string // want is a part of the message; empty means that the change is allowed
	}{
		"a new cluster gets another CIDR":          {"OpenStackCluster", "{spec: " + cluster + ", status: {}}", "10.0.0.0", "10.1.0.0", ""},
		"a provisioned cluster gets another CIDR":  {"OpenStackCluster", "{spec: " + cluster + ", status: " + done + "}", "10.0.0.0", "10.1.0.0", "do not change once the cluster is provisioned"},
		"a provisioned cluster gets another port":  {"OpenStackCluster", "{spec: " + cluster + ", status: " + done + "}", "6443", "443", "do not change once"},
		"a provisioned cluster loses its balancer": {"OpenStackCluster", "{spec: " + cluster + ", status: " + done + "}", "enabled: true", "enabled: false", "do not change once"},
		"a provisioned cluster gets allowed CIDRs": {"OpenStackCluster", "{spec: " + cluster + ", status: " + done + "}", "enabled: true", "enabled: true, allowedCIDRs: [10.0.0.0/8]", ""},
		"a provisioned cluster gets a secret":      {"OpenStackCluster", "{spec: " + cluster + ", status: " + done + "}", "name: s", "name: other", ""},
		"a provisioned cluster gets a router":      {"OpenStackCluster", "{spec: " + cluster + ", status: " + done + "}", "apiServer", "router: {id: a}, apiServer", "do not change once"},
		"a cluster has no network":                 {"OpenStackCluster", "{spec: " + cluster + "}", "managedSubnets: [{cidr: 10.0.0.0/24}], ", "", "exactly one of managedSubnets and network"},
		"a cluster has both networks":              {"OpenStackCluster", "{spec: " + cluster + "}", "apiServer", "network: {id: a}, apiServer", "exactly one of managedSubnets and network"},
		"a cluster is no longer provisioned":       {"OpenStackCluster", "{spec: " + cluster + ", status: " + done + "}", "provisioned: true", "provisioned: false", "stays true"},
		"the status of a cluster is removed":       {"OpenStackCluster", "{spec: " + cluster + ", status: " + done + "}", done, "{}", ""},
		"a floating IP is no address":              {"OpenStackCluster", "{spec: " + cluster + "}", "port: 6443", "floatingIP: example", "an IP address is required"},
		"a machine without a server changes":       {"OpenStackMachine", "{spec: " + machine + "}", "id: a", "id: c", ""},
		"a machine with a server changes":          {"OpenStackMachine", "{spec: {providerID: x, " + machine[1:] + "}", "id: a", "id: c", "a server does not change"},
		"a machine with a server gets a port":      {"OpenStackMachine", "{spec: {providerID: x, " + machine[1:] + "}", "[{nameSuffix: x}]", "[{nameSuffix: x}, {}]", "a server does not change"},
		"a machine with a server loses its ports":  {"OpenStackMachine", "{spec: {providerID: x, " + machine[1:] + "}", "ports: [{nameSuffix: x}], ", "", "a server does not change"},
		"a machine with a server gets a tag":       {"OpenStackMachine", "{spec: {providerID: x, " + machine[1:] + "}", "tags: [a]", "tags: [a, b]", ""},
		"a machine gets another providerID":        {"OpenStackMachine", "{spec: {providerID: x, " + machine[1:] + "}", "providerID: x", "providerID: y", "providerID does not change"},
		"a machine loses its providerID":           {"OpenStackMachine", "{spec: {providerID: x, " + machine[1:] + "}", "providerID: x, ", "", "providerID is not taken back"},
		"a machine gets its providerID":            {"OpenStackMachine", "{spec: " + machine + "}", "image:", "providerID: x, image:", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(test.old, test.change) {
				t.Fatalf("%s does not contain %s", test.old, test.change)
			}
			old, obj := object(t, test.old), object(t, strings.Replace(test.old, test.change, test.with, 1))
			if have := kinds[test.kind](nil, old); have != "" {
				t.Fatalf("the object before: %s", have)
			}
			have := kinds[test.kind](old, obj)
			if (test.want == "") != (have == "") || !strings.Contains(have, test.want) {
				t.Errorf("the API server returns %q, want %q", have, test.want)
			}
		})
	}
}
