package crd

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"kstatus.dev/author/crd/internal/validation"

	"kstatus.dev/author/crd/internal/rules"
	"kstatus.dev/author/lint"
)

// A Validator validates definitions and objects as the API server does. It is a
// [lint.Validator]. The zero value is ready for use. A Validator remembers the results for
// definitions, and may be used by several goroutines.
type Validator struct {
	mu       sync.Mutex // guards the cache
	problems map[[sha256.Size]byte][]lint.Problem
}

var _ lint.Validator = (*Validator)(nil)

// maxCached limits the number of cached definitions.
const maxCached = 512

// Validate returns the problems for which the API server would reject a new definition. Its schemas
// must be structural, its defaults valid, and its rules cheap.
func (s *Validator) Validate(crd map[string]any) []lint.Problem {
	text, err := json.Marshal(crd)
	if err != nil {
		return problemOf(err)
	}
	sum := sha256.Sum256(text)
	s.mu.Lock()
	problems, known := s.problems[sum]
	s.mu.Unlock()
	if known {
		return problems
	}
	problems = validate(crd, text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.problems == nil || len(s.problems) >= maxCached {
		s.problems = map[[sha256.Size]byte][]lint.Problem{}
	}
	s.problems[sum] = problems
	return problems
}

// validate validates a definition, of which text is the JSON.
func validate(crd map[string]any, text []byte) []lint.Problem {
	crd, long := rules.DropLong(crd)
	if len(long) > 0 {
		text, _ = json.Marshal(crd) // the whole definition was marshaled before
	}
	definition, err := internal(text)
	if err != nil {
		return problemOf(err)
	}
	definition.Status = apiextensions.CustomResourceDefinitionStatus{}
	for _, v := range definition.Spec.Versions {
		if v.Storage {
			definition.Status.StoredVersions = []string{v.Name}
		}
	}
	return append(long, problems(validation.ValidateCustomResourceDefinition(context.Background(), definition))...)
}

// internal converts a definition to the API server's internal version, with
// defaults.
func internal(text []byte) (*apiextensions.CustomResourceDefinition, error) {
	var v1 apiextensionsv1.CustomResourceDefinition
	if err := json.Unmarshal(text, &v1); err != nil {
		return nil, err
	}
	if v1.APIVersion != apiextensionsv1.SchemeGroupVersion.String() {
		return nil, fmt.Errorf("apiVersion: want %s, have %q", apiextensionsv1.SchemeGroupVersion, v1.APIVersion)
	}
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(&v1)
	var definition apiextensions.CustomResourceDefinition
	err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&v1, &definition, nil)
	return &definition, err
}

// schemaOf returns the schema of a version, and its structural form.
func schemaOf(crd map[string]any, version string) (*apiextensions.JSONSchemaProps, *structural.Structural, error) {
	crd, _ = rules.DropLong(crd)
	text, err := json.Marshal(crd)
	if err != nil {
		return nil, nil, err
	}
	definition, err := internal(text)
	if err != nil {
		return nil, nil, err
	}
	named := func(v apiextensions.CustomResourceDefinitionVersion) bool { return v.Name == version }
	if !slices.ContainsFunc(definition.Spec.Versions, named) {
		return nil, nil, errors.New("the definition does not have this version")
	}
	found, err := apiextensions.GetSchemaForVersion(definition, version)
	if err != nil {
		return nil, nil, err
	}
	if found == nil || found.OpenAPIV3Schema == nil {
		return nil, nil, errors.New("the version has no schema")
	}
	form, err := structural.NewStructural(found.OpenAPIV3Schema)
	return found.OpenAPIV3Schema, form, err
}

func problemOf(err error) []lint.Problem { return []lint.Problem{{Message: err.Error()}} }

func problems(errs field.ErrorList) (all []lint.Problem) {
	for _, err := range errs {
		all = append(all, lint.Problem{Path: pathOf(err.Field), Message: err.ErrorBody()})
	}
	return all
}

// pathOf converts the field of an error to a path. The API server's internal
// version has the schema that all versions share at the top level.
func pathOf(name string) lint.Path {
	var p lint.Path
	for rest := name; rest != ""; {
		if rest[0] == '[' {
			if inside, after, ok := strings.Cut(rest[1:], "]"); ok {
				p, rest = append(p, pathStep(inside)), strings.TrimPrefix(after, ".")
				continue
			}
		}
		end := strings.IndexAny(rest[1:], ".[") + 1
		if end == 0 {
			end = len(rest)
		}
		p, rest = append(p, rest[:end]), strings.TrimPrefix(rest[end:], ".")
	}
	if len(p) > 1 && p[0] == "spec" {
		switch p[1] {
		case "validation":
			return append(lint.Path{"spec", "versions", 0, "schema"}, p[2:]...)
		case "subresources", "additionalPrinterColumns", "selectableFields":
			return append(lint.Path{"spec", "versions", 0}, p[1:]...)
		}
	}
	return p
}

func pathStep(inside string) any {
	if i, err := strconv.Atoi(inside); err == nil {
		return i
	}
	return inside
}
