package fields

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/cmd/kstatus/internal/output"
)

// Sort sorts verdicts by a field of their objects. It compares numbers and quantities by value,
// and other values as text. Objects without the field come first. If no object has the field,
// Sort returns an error.
func Sort(all []output.Verdict, path string) error {
	p, err := parsePath(path)
	if err != nil {
		return fmt.Errorf("--sort-by: %w", err)
	}
	type keyed struct {
		verdict output.Verdict
		key     any
	}
	rows := make([]keyed, len(all))
	looked, found := false, false
	for i, v := range all {
		rows[i].verdict = v
		if v.ObjectFact == nil || v.ObjectFact.Object == nil {
			continue
		}
		values, err := valuesAt(p, &unstructured.Unstructured{Object: v.ObjectFact.Object})
		if err != nil {
			return fmt.Errorf("--sort-by: %w", err)
		}
		looked = true
		if len(values) > 0 {
			rows[i].key, found = values[0], true
		}
	}
	if looked && !found {
		return fmt.Errorf("--sort-by %s: no object has this field", path)
	}
	slices.SortStableFunc(rows, func(a, b keyed) int { return compare(a.key, b.key) })
	for i, r := range rows {
		all[i] = r.verdict
	}
	return nil
}

// CheckPath returns an error for an invalid value of --sort-by.
func CheckPath(path string) error {
	_, err := parsePath(path)
	return err
}

// compare compares two values of a field; nil means no value.
func compare(a, b any) int {
	if a == nil || b == nil {
		return cmp.Compare(present(a), present(b))
	}
	x, xok := number(a)
	y, yok := number(b)
	if xok && yok {
		return x.Cmp(y)
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

// present returns 0 for nil, otherwise 1.
func present(v any) int {
	if v == nil {
		return 0
	}
	return 1
}

// number returns a value that is a number or a quantity as a quantity.
func number(v any) (resource.Quantity, bool) {
	switch v.(type) {
	case int64, float64, int, string:
		q, err := resource.ParseQuantity(fmt.Sprint(v))
		return q, err == nil
	}
	return resource.Quantity{}, false
}
