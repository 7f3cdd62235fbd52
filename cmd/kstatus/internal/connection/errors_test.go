package connection

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"kstatus.dev/kube/sets"
)

func TestEach(t *testing.T) {
	a, b, c := errors.New("a"), errors.New("b"), &sets.NotFoundError{Text: "c"}
	wrapped := fmt.Errorf("around: %w", c)
	for name, row := range map[string]struct {
		err  error
		want []error
	}{
		"it leaves one as it is":                {a, []error{a}},
		"it leaves one that wraps another":      {wrapped, []error{wrapped}},
		"it takes joined ones apart":            {errors.Join(a, b), []error{a, b}},
		"it takes aggregates of these apart":    {utilerrors.NewAggregate([]error{errors.Join(a, b), wrapped}), []error{a, b, wrapped}},
		"it looks for aggregates below a text":  {fmt.Errorf("x: %w", utilerrors.NewAggregate([]error{a, b})), []error{a, b}},
		"it does not lose one beside aggregate": {errors.Join(a, utilerrors.NewAggregate([]error{b, wrapped})), []error{a, b, wrapped}},
	} {
		if have := FlattenErrors(row.err); !slices.Equal(have, row.want) {
			t.Errorf("%s: have %v, want %v", name, have, row.want)
		}
	}
	if !IsMissing(wrapped) || IsMissing(a) {
		t.Errorf("isMissing: have %v and %v", IsMissing(wrapped), IsMissing(a))
	}
}
