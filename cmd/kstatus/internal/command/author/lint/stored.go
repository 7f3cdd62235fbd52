package lint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/author/crd"
	"kstatus.dev/author/lint"
	"kstatus.dev/cmd/kstatus/internal/findings"
	"kstatus.dev/internal/text"
)

// A storedCheck counts the stored objects of a definition that a patch makes invalid.
type storedCheck struct {
	objects    int
	invalid    int
	firstError string // an invalid object and its error
}

// checkStored prints how many stored objects of each definition its patch makes invalid.
func (f *fixer) checkStored(ctx context.Context, patches []definitionPatch) {
	if f.objects == nil {
		return
	}
	for _, p := range patches {
		if f.run.Places[p.object].File >= 0 {
			continue
		}
		before := f.run.Bundle.Objects[p.object]
		after, err := lint.Apply(before, p.Edits...)
		if err != nil {
			f.run.Fail(fmt.Errorf("crd/%s: %w", p.Name, err))
			continue
		}
		stored, err := storedUnder(ctx, f.objects, before, after)
		switch {
		case err != nil:
			f.run.Fail(fmt.Errorf("crd/%s: its objects could not be checked: %w", p.Name, err))
		case stored.invalid > 0:
			f.run.Env.Print("warning: crd/%s: of %s %d would no longer be valid, such as %s", p.Name, text.Count(stored.objects, "stored object"), stored.invalid, stored.firstError)
		default:
			f.run.Env.Print("crd/%s: %s, all valid after the patch", p.Name, text.Count(stored.objects, "stored object"))
		}
	}
}

// storedUnder validates the stored objects of a definition against its schema after a change. It
// does not count objects that are invalid before.
func storedUnder(ctx context.Context, client dynamic.Interface, before, after map[string]any) (s storedCheck, err error) {
	b := lint.Bundle{Objects: []map[string]any{before}}
	definition := b.CRDs()[0]
	i := slices.IndexFunc(definition.Versions, func(v lint.Version) bool { return v.Served && (v.Storage || !storageServed(definition)) })
	if i < 0 {
		return s, errors.New("no version is served")
	}
	version := definition.Versions[i].Name
	server := &crd.Validator{}
	oldForm, err := server.Schema(before, version)
	if err != nil {
		return s, err
	}
	newForm, err := server.Schema(after, version)
	if err != nil {
		return s, err
	}
	resource := schema.GroupVersionResource{Group: definition.Group, Version: version, Resource: definition.Plural}
	err = findings.EachObject(ctx, client.Resource(resource), metav1.ListOptions{}, func(o map[string]any) {
		s.objects++
		problems := newForm.Validate(o)
		if len(problems) == 0 || len(oldForm.Validate(o)) > 0 {
			return
		}
		if s.invalid++; s.firstError == "" {
			named := unstructured.Unstructured{Object: o}
			s.firstError = strings.TrimPrefix(named.GetNamespace()+"/"+named.GetName(), "/") + ": " + problems[0].Path.String() + ": " + findings.RedactMessage(problems[0].Message)
		}
	})
	return s, err
}

// storageServed reports whether the storage version is served.
func storageServed(c lint.CRD) bool {
	return slices.ContainsFunc(c.Versions, func(v lint.Version) bool { return v.Served && v.Storage })
}
