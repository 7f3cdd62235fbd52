package sets

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/observe"
)

// These are the label of an app's ConfigMap, and the suffix of its name if kapp
// is configured to use one.
const (
	appLabel  = "kapp.k14s.io/is-app"
	appSuffix = ".apps.k14s.io"
)

// An app is kapp's record of an app.
type app struct {
	LabelKey   string              `json:"labelKey"`
	LabelValue string              `json:"labelValue"`
	UsedGKs    *[]schema.GroupKind `json:"usedGKs"`
	LastChange struct {
		Namespaces []string `json:"namespaces"`
	} `json:"lastChange"`
}

// kapp finds the objects that have the label of an app. Objects that
// controllers have created for them also have the label, and do not count.
func (f *finder) kapp(ctx context.Context, o Owner) ([]observe.Target, error) {
	kept, err := f.appRecord(ctx, o)
	if err != nil {
		return nil, err
	}
	where := nameOf(kept) + ": data.spec"
	var a app
	text, _, err := unstructured.NestedString(kept.Object, "data", "spec")
	if err == nil {
		err = json.Unmarshal([]byte(text), &a)
	}
	if err != nil || a.LabelKey == "" {
		return nil, fmt.Errorf("%s: want JSON with a labelKey, as kapp writes it, have something else", where)
	}
	chosen, err := labels.Set{a.LabelKey: a.LabelValue}.AsValidatedSelector()
	if err != nil {
		return nil, fmt.Errorf("%s: labelKey and labelValue: want a label, have something else", where)
	}
	s := search{labels: chosen.String()}
	for _, namespace := range append(a.LastChange.Namespaces, o.Namespace) {
		if !strings.Contains(namespace, "(") { // kapp's name for cluster-scoped objects contains a parenthesis
			s.namespaces = append(s.namespaces, namespace)
		}
	}
	slices.Sort(s.namespaces)
	s.namespaces = slices.Compact(s.namespaces)
	if a.UsedGKs == nil { // older versions of kapp do not record it
		s.kinds, err = f.everyKind(ctx, o.String())
	} else {
		s.kinds, err = f.kindsNamed(o.String(), *a.UsedGKs)
	}
	if err != nil {
		return nil, err
	}
	return f.members(ctx, s)
}

// appRecord reads the ConfigMap of an app.
func (f *finder) appRecord(ctx context.Context, o Owner) (*unstructured.Unstructured, error) {
	var denied error
	for _, name := range []string{o.Name + appSuffix, o.Name} {
		u, err := f.get(ctx, configMaps, o.Namespace, name)
		switch {
		case apierrors.IsForbidden(err):
			denied = cmp.Or(denied, err)
		case apierrors.IsNotFound(err):
		case err != nil:
			return nil, err
		default:
			if _, ok := u.GetLabels()[appLabel]; ok {
				return u, nil
			}
		}
	}
	if denied != nil {
		return nil, denied
	}
	return nil, &NotFoundError{fmt.Sprintf("no app with that name in namespace %s (searched the ConfigMaps %s and %s for the label %s)",
		o.Namespace, o.Name+appSuffix, o.Name, appLabel)}
}
