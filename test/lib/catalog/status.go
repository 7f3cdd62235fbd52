package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const (
	// NoticeDelay is the delay before the controller looks at a new generation.
	NoticeDelay = 3 * time.Second
	// WorkDuration is the duration of the indexing after it.
	WorkDuration = 4 * time.Second
	// retry is the interval of reads while products are missing.
	retry = 2 * time.Second
)

// next returns the next status of a Catalog, or nil to keep the present one, and the time until
// the next look. age is the time since its generation was first seen.
func (r reconciler) next(ctx context.Context, catalog *unstructured.Unstructured, age time.Duration) (status map[string]any, again time.Duration, err error) {
	ready := condition(catalog, "Ready")
	observed, _, _ := unstructured.NestedInt64(catalog.Object, "status", "observedGeneration")
	current := observed == catalog.GetGeneration()
	switch {
	case catalog.GetDeletionTimestamp() != nil:
		return nil, 0, nil
	case !current && age < NoticeDelay:
		return nil, NoticeDelay - age, nil
	case !current:
		return state(catalog, nil, "False", "Indexing", "the products are being indexed"), WorkDuration, nil
	case age < NoticeDelay+WorkDuration:
		return nil, NoticeDelay + WorkDuration - age, nil
	case ready["status"] == "True":
		return nil, 0, nil
	}
	n, err := r.products(ctx, catalog)
	if err != nil {
		if ready["reason"] == "SourceMissing" && ready["message"] == err.Error() {
			return nil, retry, nil
		}
		return state(catalog, nil, "False", "SourceMissing", err.Error()), retry, nil
	}
	return state(catalog, &n, "True", "Indexed", fmt.Sprintf("%d products are indexed", n)), 0, nil
}

// products counts the products in the ConfigMap that a Catalog refers to. Its errors are for
// the Catalog's owner.
func (r reconciler) products(ctx context.Context, catalog *unstructured.Unstructured) (int64, error) {
	name, _, _ := unstructured.NestedString(catalog.Object, "spec", "source", "configMap")
	source, err := r.core.CoreV1().ConfigMaps(catalog.GetNamespace()).Get(ctx, name, metav1.GetOptions{})
	if errors.IsNotFound(err) {
		return 0, fmt.Errorf("there is no ConfigMap %q", name)
	}
	if err != nil {
		return 0, err
	}
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(source.Data["products.json"]), &list); err != nil {
		return 0, fmt.Errorf("ConfigMap %q: products.json: %w", name, err)
	}
	return int64(len(list)), nil
}

// state returns a whole status with the condition Ready. The condition's time changes only with
// its status.
func state(catalog *unstructured.Unstructured, products *int64, ready, reason, message string) map[string]any {
	since := time.Now().UTC().Format(time.RFC3339)
	if old := condition(catalog, "Ready"); old["status"] == ready {
		if at, ok := old["lastTransitionTime"].(string); ok {
			since = at
		}
	}
	status := map[string]any{
		"observedGeneration": catalog.GetGeneration(),
		"conditions": []any{map[string]any{
			"type": "Ready", "status": ready, "reason": reason, "message": message,
			"lastTransitionTime": since, "observedGeneration": catalog.GetGeneration(),
		}},
	}
	if products != nil {
		status["products"] = *products
	}
	return status
}

// condition returns the condition of a type of an object, or an empty one.
func condition(object *unstructured.Unstructured, kind string) map[string]any {
	list, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, item := range list {
		if c, ok := item.(map[string]any); ok && c["type"] == kind {
			return c
		}
	}
	return map[string]any{}
}
