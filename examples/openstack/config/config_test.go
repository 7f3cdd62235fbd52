package config_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/examples/openstack/config"
)

// The definitions and the Go types are both written by hand. They have the same fields.
func TestDefinitionsAndTypesKnowTheSameFields(t *testing.T) {
	kinds := map[string]reflect.Type{
		"OpenStackCluster":         reflect.TypeFor[v1beta1.OpenStackCluster](),
		"OpenStackClusterTemplate": reflect.TypeFor[v1beta1.OpenStackClusterTemplate](),
		"OpenStackMachine":         reflect.TypeFor[v1beta1.OpenStackMachine](),
		"OpenStackMachineTemplate": reflect.TypeFor[v1beta1.OpenStackMachineTemplate](),
	}
	text, err := config.CRDs()
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range strings.Split(text, "\n---\n") {
		crd := apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict([]byte(document), &crd); err != nil {
			t.Fatal(err)
		}
		kind, known := kinds[crd.Spec.Names.Kind]
		if !known {
			t.Errorf("kind %s has no Go type", crd.Spec.Names.Kind)
			continue
		}
		delete(kinds, crd.Spec.Names.Kind)
		for _, version := range crd.Spec.Versions {
			defined := ofSchema(*version.Schema.OpenAPIV3Schema, "")
			slices.Sort(defined)
			typed := ofType(kind, "")
			slices.Sort(typed)
			if !slices.Equal(defined, typed) {
				t.Errorf("%s: the definition has\n%s\nthe type has\n%s", crd.Spec.Names.Kind, strings.Join(defined, "\n"), strings.Join(typed, "\n"))
			}
		}
	}
	for kind := range kinds {
		t.Errorf("kind %s has no definition", kind)
	}
}

// ofSchema lists the fields of a schema, each with its JSON type.
func ofSchema(s apiextensionsv1.JSONSchemaProps, path string) (fields []string) {
	if path == ".metadata" {
		return nil
	}
	switch {
	case s.Type == "array":
		return append(ofSchema(*s.Items.Schema, path+"[]"), path+" array")
	case s.AdditionalProperties != nil:
		return []string{path + " map of " + s.AdditionalProperties.Schema.Type}
	}
	if len(s.Properties) == 0 {
		return []string{path + " " + s.Type}
	}
	for name, property := range s.Properties {
		fields = append(fields, ofSchema(property, path+"."+name)...)
	}
	return fields
}

// ofType lists the fields of a Go type as ofSchema does.
func ofType(typ reflect.Type, path string) (fields []string) {
	switch {
	case path == ".metadata":
		return nil
	case typ == reflect.TypeFor[metav1.Time]():
		return []string{path + " string"}
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return ofType(typ.Elem(), path)
	case reflect.Slice:
		return append(ofType(typ.Elem(), path+"[]"), path+" array")
	case reflect.Map:
		return []string{path + " map of " + typ.Elem().Kind().String()}
	case reflect.Bool:
		return []string{path + " boolean"}
	case reflect.Int32, reflect.Int64:
		return []string{path + " integer"}
	case reflect.Struct:
		for i := range typ.NumField() {
			name, options, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			below := path
			if !strings.Contains(options, "inline") {
				below += "." + name
			}
			fields = append(fields, ofType(typ.Field(i).Type, below)...)
		}
		return fields
	}
	return []string{path + " " + typ.Kind().String()}
}
