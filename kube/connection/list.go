package connection

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PageSize is the number of objects in one page of a list.
const PageSize = 500

// EachPage lists in pages, and calls do with each page. If the pages take longer than the server
// keeps their version, it lists everything once more in one answer. isFirst is true for the first
// page of each attempt: what do has kept of earlier pages is then void.
func EachPage[L metav1.ListInterface](ctx context.Context, o metav1.ListOptions, list func(context.Context, metav1.ListOptions) (L, error), do func(page L, isFirst bool) error) error {
	o.Limit = PageSize
	for {
		page, err := list(ctx, o)
		if IsExpired(err) && o.Limit > 0 {
			o.Limit, o.Continue = 0, ""
			continue
		}
		if err == nil {
			err = do(page, o.Continue == "")
		}
		if err != nil {
			return err
		}
		if o.Continue = page.GetContinue(); o.Continue == "" {
			return nil
		}
	}
}

// AllMetadata returns the metadata of all objects of a list.
func AllMetadata(ctx context.Context, o metav1.ListOptions, list func(context.Context, metav1.ListOptions) (*metav1.PartialObjectMetadataList, error)) (all []metav1.PartialObjectMetadata, err error) {
	err = EachPage(ctx, o, list, func(page *metav1.PartialObjectMetadataList, isFirst bool) error {
		if isFirst {
			all = nil
		}
		all = append(all, page.Items...)
		return nil
	})
	return all, err
}
