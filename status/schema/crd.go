package schema

import (
	"errors"
	"fmt"
	"strings"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status/internal/word"
)

// FromCRDs reads what decoded CustomResourceDefinitions declare about the status of their kinds.
// It reads the schema of each served version:
//
//   - If the schema has a status with fields, the kind declares a status. It declares
//     observedGeneration and conditions if the status has them.
//   - If the schema has no status, or one without fields, the kind has none: the API
//     server would prune it.
//   - If unknown fields are preserved, or the version has no schema, all is unknown.
//   - Subresource says whether the kind has a status subresource. Without one, each
//     write of the status increments the generation.
//
// The error names each definition that cannot be read; the result has all others. If two
// definitions have the same kind, the later counts.
func FromCRDs(definitions ...map[string]any) (Expectations, error) {
	type versioned struct{ apiVersion, kind string }
	known := map[versioned]Expectation{}
	var errs []error
	for _, definition := range definitions {
		err := eachServed(definition, func(apiVersion, kind string, e Expectation) {
			known[versioned{apiVersion, kind}] = e
		})
		if err != nil {
			errs = append(errs, err)
		}
	}
	return func(apiVersion, kind string) Expectation {
		return known[versioned{apiVersion, kind}]
	}, errors.Join(errs...)
}

// IsCRD reports whether a decoded object is a CustomResourceDefinition.
func IsCRD(obj map[string]any) bool {
	version := decoded.Text(obj, "apiVersion")
	return obj["kind"] == "CustomResourceDefinition" && strings.HasPrefix(version, "apiextensions.k8s.io/") && strings.Count(version, "/") == 1
}

// eachServed yields what each served version of a definition declares.
func eachServed(definition map[string]any, yield func(apiVersion, kind string, e Expectation)) error {
	if !IsCRD(definition) {
		return errors.New("read CustomResourceDefinition: the object is of another kind")
	}
	crd := newSection(definition)
	name := crd.text("metadata.name")
	group, kind := crd.text("spec.group"), crd.text("spec.names.kind")
	if *crd.err == nil && (group == "" || kind == "") {
		*crd.err = errors.New("spec.group and spec.names.kind: want both, have an empty one")
	}
	declared := map[string]Expectation{}
	for v := range crd.each("spec.versions") {
		if v.boolean("served", true) {
			declared[group+"/"+v.text("name")] = readVersion(crd, v)
		}
	}
	if only := crd.text("spec.version"); only != "" && len(declared) == 0 { // apiextensions.k8s.io/v1beta1
		declared[group+"/"+only] = readVersion(crd, crd)
	}
	if *crd.err != nil {
		return fmt.Errorf("read CustomResourceDefinition %s: %w", name, *crd.err)
	}
	for apiVersion, e := range declared {
		e.Source = "CustomResourceDefinition " + name
		yield(apiVersion, kind, e)
	}
	return nil
}

// readVersion reads what a version of a definition declares. In v1beta1 the definition itself
// may hold fields that apply to all versions.
func readVersion(crd, version section) Expectation {
	s := openAPI{version, "schema.openAPIV3Schema"}
	if version.object(s.root) == nil {
		s = openAPI{crd, "spec.validation.openAPIV3Schema"}
	}
	e := s.expectation()
	e.SummaryCondition = printedCondition(version)
	if e.SummaryCondition == "" {
		e.SummaryCondition = printedCondition(crd)
	}
	switch {
	case e.Status == TristateNo:
	case version.has("subresources.status"), crd.has("spec.subresources.status"):
		e.Subresource = TristateYes
	default:
		e.Subresource = TristateNo
	}
	return e
}

// printedCondition returns the condition that a printer column of the kind shows, empty if none
// does. Of several, the one with the lowest [word.SummaryRank] counts.
func printedCondition(of section) (t string) {
	list := "additionalPrinterColumns"
	if of.prefix == "" {
		list = "spec." + list
	}
	for column := range of.each(list) {
		path := column.text("jsonPath") + column.text("JSONPath") // the name in v1beta1
		_, name, found := strings.Cut(path, ".status.conditions[?(@.type")
		name, _, closed := strings.Cut(strings.TrimLeft(name, "= '\"\\"), ")].status")
		name = strings.TrimRight(name, " '\"\\")
		if found && closed && word.SummaryRank(name) < word.SummaryRank(t) {
			t = name
		}
	}
	return t
}
