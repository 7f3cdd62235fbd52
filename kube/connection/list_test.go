package connection_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/kube/connection"
)

func TestEachPage(t *testing.T) {
	errBroken := errors.New("broken")
	expired := apierrors.NewResourceExpired("too old")
	for _, row := range []struct {
		it      string
		answers []any // a page as its names, of which the last is the token of the next page, or an error
		want    []string
		limits  []int64
		err     error
	}{
		{"reads one page", []any{[]string{"a", "b", ""}}, []string{"a", "b"}, []int64{500}, nil},
		{"reads each page", []any{[]string{"a", "2"}, []string{"b", ""}}, []string{"a", "b"}, []int64{500, 500}, nil},
		{"reads all again in one answer after a token has expired", []any{[]string{"a", "2"}, expired, []string{"a", "b", ""}}, []string{"a", "b"}, []int64{500, 500, 0}, nil},
		{"ends if the second list expires too", []any{[]string{"a", "2"}, expired, expired}, []string{"a"}, []int64{500, 500, 0}, expired},
		{"ends at an error", []any{[]string{"a", "2"}, errBroken}, []string{"a"}, []int64{500, 500}, errBroken},
	} {
		t.Run(row.it, func(t *testing.T) {
			var have []string
			var limits []int64
			list := func(_ context.Context, o metav1.ListOptions) (*metav1.PartialObjectMetadataList, error) {
				limits = append(limits, o.Limit)
				answer := row.answers[len(limits)-1]
				if err, is := answer.(error); is {
					return nil, err
				}
				names, page := answer.([]string), &metav1.PartialObjectMetadataList{}
				page.Continue = names[len(names)-1]
				for _, name := range names[:len(names)-1] {
					page.Items = append(page.Items, metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name}})
				}
				return page, nil
			}
			err := connection.EachPage(t.Context(), metav1.ListOptions{}, list, func(page *metav1.PartialObjectMetadataList, isFirst bool) error {
				if isFirst {
					have = nil
				}
				for _, o := range page.Items {
					have = append(have, o.Name)
				}
				return nil
			})
			if !errors.Is(err, row.err) || !slices.Equal(have, row.want) || !slices.Equal(limits, row.limits) {
				t.Errorf("have %q by %d, %v, want %q by %d, %v", have, limits, err, row.want, row.limits, row.err)
			}
		})
	}
}
