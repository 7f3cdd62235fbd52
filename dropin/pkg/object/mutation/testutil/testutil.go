// Package testutil sets the annotation of package mutation in tests.
package testutil

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/dropin/pkg/object/mutation"
	"kstatus.dev/dropin/pkg/testutil"
)

// AddApplyTimeMutation returns a Mutator that sets the annotation. An error ends the test.
func AddApplyTimeMutation(t *testing.T, mutation *mutation.ApplyTimeMutation) testutil.Mutator {
	return mutator{t, mutation}
}

type mutator struct {
	t        *testing.T
	mutation *mutation.ApplyTimeMutation
}

// Mutate sets the annotation.
func (a mutator) Mutate(u *unstructured.Unstructured) {
	require.NoError(a.t, mutation.WriteAnnotation(u, *a.mutation))
}
