package validation

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"sigs.k8s.io/yaml"

	"kstatus.dev/author/crd"
)

const lamps = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: lamps.example.com
spec:
  group: example.com
  names: {kind: Lamp, listKind: LampList, plural: lamps, singular: lamp}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          status:
            type: object
            default: {observedGeneration: -1}
            properties:
              observedGeneration: {type: integer, format: int64}
              conditions:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [type]
                items: {type: object, required: [type], properties: {type: {type: string}}}
            x-kubernetes-validations:
            - rule: "!has(self.observedGeneration) || self.observedGeneration >= -1"
`

// The validation is a copy. Its original is the reference.
func TestValidateReportsWhatTheAPIServerReports(t *testing.T) {
	const scope = "  scope: Namespaced\n"
	webhook := func(client string) string {
		return scope + "  conversion:\n    strategy: Webhook\n    webhook:\n      conversionReviewVersions: [v1]\n      clientConfig: " + client + "\n"
	}
	rows := []struct{ it, old, new string }{
		{"accepts a valid definition", "", ""},
		{"rejects a name of another group", "name: lamps.example.com", "name: lamps.example.org"},
		{"rejects metadata", "metadata:", "metadata:\n  labels: {\"a b\": c}\n  annotations: {\"/\": x}\n  generation: -1\n  ownerReferences: [{apiVersion: v1, kind: Event, name: e, uid: \"1\"}]\n  finalizers: [\"a b\"]\n  namespace: shop"},
		{"rejects names", "kind: Lamp,", "kind: \"L amp\", shortNames: [\"A B\"],"},
		{"rejects two storage versions", "  - name: v1\n", "  - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n  - name: v1\n"},
		{"rejects an unapproved group", "example.com", "example.k8s.io"},
		{"rejects a field that no longer exists", scope, scope + "  preserveUnknownFields: true\n"},
		{"rejects an invalid default", "format: int64}", "format: int64, minimum: 1}"},
		{"rejects an invalid rule", "self.observedGeneration >= -1", "self.missing"},
		{"rejects a rule that costs too much", `"!has(self.observedGeneration) || self.observedGeneration >= -1"`, `"self.conditions.all(a, self.conditions.all(b, self.conditions.all(c, a.type != b.type || c.type == a.type)))"`},
		{"rejects a schema that is not structural", "          status:\n            type: object", "          status:\n            nullable: true"},
		{"rejects keys that are not required", "required: [type], ", ""},
		{"rejects columns and fields", "    subresources: {status: {}}\n", "    subresources: {status: {}, scale: {specReplicasPath: spec.x, statusReplicasPath: .x}}\n" +
			"    additionalPrinterColumns: [{name: \"\", type: text, jsonPath: x}]\n    selectableFields: [{jsonPath: .spec.missing}, {jsonPath: .status.conditions}]\n"},
		{"accepts a webhook", scope, webhook("{service: {name: hooks, namespace: shop, path: /convert}}")},
		{"rejects a webhook without a client", scope, webhook("{}")},
		{"rejects a webhook with a URL and a service", scope, webhook("{url: \"https://a.example\", service: {name: hooks, namespace: shop}}")},
		{"rejects the URL of a webhook", scope, webhook("{url: \"http://me:secret@/x?y=z#f\"}")},
		{"rejects a URL that cannot be parsed", scope, webhook("{url: \":\"}")},
		{"rejects the service of a webhook", scope, webhook("{service: {name: \"\", namespace: \"\", port: 70000, path: \"a//B_/\"}}")},
		{"rejects a path of slashes", scope, webhook("{service: {name: hooks, namespace: shop, path: \"//\"}}")},
		{"accepts a malformed bundle of certificates", scope, webhook("{caBundle: YQ==, service: {name: hooks, namespace: shop}}")},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			text := strings.ReplaceAll(lamps, row.old, row.new)
			if row.old == "" {
				text = lamps
			} else if text == lamps {
				t.Fatal("the row changes nothing")
			}
			want := original(t, text)
			if accepts := strings.HasPrefix(row.it, "accepts"); accepts != (len(want) == 0) {
				t.Errorf("the original reports %q", want)
			}
			var definition map[string]any
			if err := yaml.Unmarshal([]byte(text), &definition); err != nil {
				t.Fatal(err)
			}
			var have []string
			for _, problem := range (&crd.Validator{}).Validate(definition) {
				have = append(have, problem.Message)
			}
			if !slices.Equal(have, want) {
				t.Errorf("have %q\nwant %q", have, want)
			}
		})
	}
}

// original returns what the API server's own package reports.
func original(t *testing.T, text string) (all []string) {
	t.Helper()
	var external v1.CustomResourceDefinition
	if err := yaml.Unmarshal([]byte(text), &external); err != nil {
		t.Fatal(err)
	}
	v1.SetObjectDefaults_CustomResourceDefinition(&external)
	var definition apiextensions.CustomResourceDefinition
	if err := v1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&external, &definition, nil); err != nil {
		t.Fatal(err)
	}
	for _, version := range external.Spec.Versions {
		if version.Storage {
			definition.Status.StoredVersions = []string{version.Name}
		}
	}
	for _, err := range validation.ValidateCustomResourceDefinition(t.Context(), &definition) {
		all = append(all, err.ErrorBody())
	}
	return all
}
