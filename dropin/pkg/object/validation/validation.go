// Package validation checks objects before they are applied.
package validation

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/dropin/pkg/object/internal/multierror"
)

// A Policy says what happens if an object is not valid.
type Policy int

// The policies.
const (
	ExitEarly   Policy = iota // apply nothing
	SkipInvalid               // apply the others
)

// String returns the name of the policy.
func (i Policy) String() string {
	switch i {
	case ExitEarly:
		return "ExitEarly"
	case SkipInvalid:
		return "SkipInvalid"
	}
	return fmt.Sprintf("Policy(%d)", int(i))
}

// An Error is an error of one or more objects.
type Error struct {
	ids   object.ObjMetadataSet
	cause error
}

// NewError returns an error of these objects.
func NewError(cause error, ids ...object.ObjMetadata) *Error {
	return &Error{ids: ids, cause: cause}
}

// Identifiers returns the objects.
func (ve *Error) Identifiers() object.ObjMetadataSet { return ve.ids }

// Unwrap returns the cause.
func (ve *Error) Unwrap() error { return ve.cause }

// Error names the objects and the cause.
func (ve *Error) Error() string {
	names := make([]string, 0, len(ve.ids))
	for _, id := range ve.ids {
		names = append(names, fmt.Sprintf("%q", id))
	}
	switch len(names) {
	case 0:
		return fmt.Sprintf("validation error: %v", ve.cause)
	case 1:
		return fmt.Sprintf("invalid object: %s: %v", names[0], ve.cause)
	}
	return fmt.Sprintf("invalid objects: [%s] %v", strings.Join(names, ", "), ve.cause)
}

// A Collector collects errors and the objects that they name.
type Collector struct {
	Errors     []error
	InvalidIds object.ObjMetadataSet
}

// Collect adds an error, or each error of one that has several.
func (c *Collector) Collect(err error) {
	errs := multierror.Unwrap(err)
	var ids object.ObjMetadataSet
	for _, err := range errs {
		var invalid *Error
		if errors.As(err, &invalid) {
			ids = append(ids, invalid.ids...)
		}
	}
	c.InvalidIds = c.InvalidIds.Union(ids)
	c.Errors = append(c.Errors, errs...)
}

// ToError returns all errors as one; nil if there is none.
func (c *Collector) ToError() error { return multierror.Wrap(c.Errors...) }

// FilterInvalidObjects returns the objects that no error names.
func (c *Collector) FilterInvalidObjects(objs object.UnstructuredSet) object.UnstructuredSet {
	var valid object.UnstructuredSet
	for _, obj := range objs {
		if !c.InvalidIds.Contains(object.UnstructuredToObjMetadata(obj)) {
			valid = append(valid, obj)
		}
	}
	return valid
}

// FilterInvalidIds returns the identifiers that no error names.
func (c *Collector) FilterInvalidIds(ids object.ObjMetadataSet) object.ObjMetadataSet {
	return ids.Diff(c.InvalidIds)
}

// A Validator checks that objects have a kind, a name, and a namespace if their kind needs one.
type Validator struct {
	Mapper    meta.RESTMapper
	Collector *Collector
}

// Validate checks the objects. The collector gets one error for each object that is not valid.
func (v *Validator) Validate(objs []*unstructured.Unstructured) {
	var crds []*unstructured.Unstructured
	for _, obj := range objs {
		if object.IsCRD(obj) {
			crds = append(crds, obj)
		}
	}
	for _, obj := range objs {
		if errs := v.check(obj, crds); len(errs) > 0 {
			v.Collector.Collect(NewError(multierror.Wrap(errs...), object.UnstructuredToObjMetadata(obj)))
		}
	}
}

func (v *Validator) check(obj *unstructured.Unstructured, crds []*unstructured.Unstructured) (errs []error) {
	if obj.GetKind() == "" {
		errs = append(errs, field.Required(field.NewPath("kind"), "kind is required"))
	}
	if obj.GetName() == "" {
		errs = append(errs, field.Required(field.NewPath("metadata", "name"), "name is required"))
	}
	if obj.GetKind() == "" {
		return errs
	}
	if err := v.checkNamespace(obj, crds); err != nil {
		errs = append(errs, err)
	}
	return errs
}

func (v *Validator) checkNamespace(obj *unstructured.Unstructured, crds []*unstructured.Unstructured) error {
	scope, err := object.LookupResourceScope(obj, crds, v.Mapper)
	if err != nil {
		return err
	}
	path, namespace := field.NewPath("metadata", "namespace"), obj.GetNamespace()
	switch {
	case scope == meta.RESTScopeNamespace && namespace == "":
		return field.Required(path, "namespace is required")
	case scope == meta.RESTScopeRoot && namespace != "":
		return field.Invalid(path, namespace, "namespace must be empty")
	}
	return nil
}
