package crd

import (
	"context"
	"fmt"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"kstatus.dev/author/crd/internal/difference"
	"kstatus.dev/author/lint"
)

// A Schema is the compiled schema of a version of a definition. Compile it once to validate
// many objects. It may be used by several goroutines.
type Schema struct {
	schema *structural.Structural
	valid  validation.SchemaValidator
	rules  *cel.Validator // nil: the schema has no rules
}

// Schema compiles the schema of a version of a definition. A version that does not exist, or
// a schema that is not structural, is an error.
func (s *Validator) Schema(crd map[string]any, version string) (*Schema, error) {
	props, form, err := schemaOf(crd, version)
	if err != nil {
		return nil, fmt.Errorf("version %s: %w", version, err)
	}
	valid, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, fmt.Errorf("version %s: %w", version, err)
	}
	return &Schema{schema: form, valid: valid, rules: cel.NewValidator(form, true, celconfig.PerCallLimit)}, nil
}

// AsStored returns an object as the API server stores it: without fields that
// are not in the schema, and with defaults. It does not change its argument.
func (f *Schema) AsStored(object map[string]any) map[string]any {
	stored, ok := difference.Normalize(object).(map[string]any)
	if !ok {
		return nil
	}
	pruning.Prune(stored, f.schema, true)
	return f.withDefaults(stored)
}

// withDefaults sets the defaults, as the API server does when it decodes.
func (f *Schema) withDefaults(object map[string]any) map[string]any {
	filled, ok := difference.Normalize(object).(map[string]any)
	if ok {
		defaulting.PruneNonNullableNullsWithoutDefaults(filled, f.schema)
		defaulting.Default(filled, f.schema)
	}
	return filled
}

// Validate returns the problems for which the API server would reject a new object.
func (f *Schema) Validate(object map[string]any) []lint.Problem {
	stored := f.AsStored(object)
	errs := validation.ValidateCustomResource(nil, stored, f.valid)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, f.schema, stored)...)
	if f.rules != nil && len(errs) == 0 {
		found, _ := f.rules.Validate(context.Background(), nil, f.schema, stored, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, found...)
	}
	return problems(errs)
}

// ValidateObject returns the problems for which the API server would reject a new object of a
// version. To validate many objects, use [Validator.Schema].
func (s *Validator) ValidateObject(crd map[string]any, version string, object map[string]any) []lint.Problem {
	form, err := s.Schema(crd, version)
	if err != nil {
		return problemOf(err)
	}
	return form.Validate(object)
}
