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

	"kstatus.dev/lint"
)

// A Form is what a version of a definition demands of its objects, ready to be
// held to many of them.
type Form struct {
	schema *structural.Structural
	valid  validation.SchemaValidator
	rules  *cel.Validator // nil: the schema has none
}

// Form returns what a version demands.
func (s *Server) Form(crd map[string]any, version string) (*Form, error) {
	props, form, err := schemaOf(crd, version)
	if err != nil {
		return nil, fmt.Errorf("version %s: %w", version, err)
	}
	valid, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, fmt.Errorf("version %s: %w", version, err)
	}
	return &Form{schema: form, valid: valid, rules: cel.NewValidator(form, true, celconfig.PerCallLimit)}, nil
}

// Stored returns an object as the API server stores it: without the fields that the
// schema does not know, with its defaults. The object given is not changed.
func (f *Form) Stored(object map[string]any) map[string]any {
	stored, ok := normalize(object).(map[string]any)
	if !ok {
		return nil
	}
	pruning.Prune(stored, f.schema, true)
	return f.withDefaults(stored)
}

// withDefaults fills in the defaults, as the API server does when it decodes.
func (f *Form) withDefaults(object map[string]any) map[string]any {
	filled, ok := normalize(object).(map[string]any)
	if ok {
		defaulting.PruneNonNullableNullsWithoutDefaults(filled, f.schema)
		defaulting.Default(filled, f.schema)
	}
	return filled
}

// Problems returns what the API server would reject an object for that is created.
func (f *Form) Problems(object map[string]any) []lint.Problem {
	stored := f.Stored(object)
	errs := validation.ValidateCustomResource(nil, stored, f.valid)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, f.schema, stored)...)
	if f.rules != nil && len(errs) == 0 {
		found, _ := f.rules.Validate(context.Background(), nil, f.schema, stored, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, found...)
	}
	return problems(errs)
}

// ValidObject returns what the API server would reject an object of a version
// for. Who has many of them asks a [Form].
func (s *Server) ValidObject(crd map[string]any, version string, object map[string]any) []lint.Problem {
	form, err := s.Form(crd, version)
	if err != nil {
		return problemOf(err)
	}
	return form.Problems(object)
}
