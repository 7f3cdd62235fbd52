package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/internal/text"
	"kstatus.dev/kube/crd"
	"kstatus.dev/lint"
)

// A patchLine is the patch of one definition, as a line of JSON.
type patchLine struct {
	Name  string          `json:"name"`
	Patch json.RawMessage `json:"patch"` // RFC 6902
}

// A storedLine says how many of the stored objects of a definition would no
// longer be valid if it were mended, fixes that are unsafe included.
type storedLine struct {
	Objects int    `json:"objects"`
	Invalid int    `json:"invalid"`
	First   string `json:"first,omitempty"` // one of them, and what is wrong with it
	Error   string `json:"error,omitempty"` // why they could not all be read
}

var definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// How many objects are read by one request.
const pageSize = 500

// readLive takes in definitions of a cluster: those that are named, else all that are asked for.
func (l *lintCommand) readLive(ctx context.Context, r *lintRun, names []string) error {
	c, err := connect(ctx, l.env, l.connection)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(c.config)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	r.config = c.config
	if len(names) == 0 {
		return permitted(l.listDefinitions(ctx, r, client))
	}
	for _, name := range names {
		found, err := client.Resource(definitions).Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return &exitError{code: exitMissing, err: err}
		}
		if err != nil {
			return permitted(fmt.Errorf("read crd/%s: %w", name, err))
		}
		r.addLive(found.Object)
	}
	return nil
}

func (l *lintCommand) listDefinitions(ctx context.Context, r *lintRun, client dynamic.Interface) error {
	options := metav1.ListOptions{Limit: pageSize, LabelSelector: l.selector}
	for {
		page, err := client.Resource(definitions).List(ctx, options)
		if err != nil {
			return fmt.Errorf("list definitions: %w", err)
		}
		for _, one := range page.Items {
			group, _, _ := unstructured.NestedString(one.Object, "spec", "group")
			if l.inGroups(group) {
				r.addLive(one.Object)
			}
		}
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return nil
		}
	}
}

// inGroups reports whether definitions of a group are asked for.
func (l *lintCommand) inGroups(group string) bool {
	return len(l.groups) == 0 || slices.ContainsFunc(l.groups, func(asked string) bool {
		end, all := strings.CutPrefix(asked, "*")
		return asked == group || all && strings.HasSuffix(group, end)
	})
}

// addLive takes in a definition of a cluster, as somebody would have written it.
func (r *lintRun) addLive(o map[string]any) {
	delete(o, "status")
	if meta, ok := o["metadata"].(map[string]any); ok {
		for _, written := range []string{"managedFields", "uid", "resourceVersion", "generation", "creationTimestamp", "selfLink"} {
			delete(meta, written)
		}
	}
	place := lintPlace{file: -1}
	for _, s := range crd.Annotated(o) {
		if c := checkNamed(s.Check); c != nil {
			s.Check = c.Name
			place.suppressed = append(place.suppressed, s)
		}
	}
	r.bundle.Objects = append(r.bundle.Objects, o)
	r.places = append(r.places, place)
}

// precheck tells for each definition of a cluster that a patch is printed for how
// many of its stored objects would no longer be valid.
func (l *lintCommand) precheck(ctx context.Context, r *lintRun, patches []lintPatch) {
	if r.config == nil {
		return
	}
	for _, p := range patches {
		if r.places[p.object].file >= 0 {
			continue
		}
		after, err := lint.Apply(r.bundle.Objects[p.object], p.Edits...)
		if err != nil {
			r.fail(fmt.Errorf("crd/%s: %w", p.Name, err))
			continue
		}
		s := storedUnder(ctx, r.config, r.bundle.Objects[p.object], after)
		switch {
		case s.Error != "":
			r.fail(fmt.Errorf("crd/%s: its objects could not be checked: %s", p.Name, s.Error))
		case s.Invalid > 0:
			fmt.Fprintln(l.env.err, text.Line(fmt.Sprintf("warning: crd/%s: of %s %d would no longer be valid, such as %s", p.Name, text.Count(s.Objects, "stored object"), s.Invalid, s.First)))
		default:
			fmt.Fprintln(l.env.err, text.Line(fmt.Sprintf("crd/%s: %s, all valid after the patch", p.Name, text.Count(s.Objects, "stored object"))))
		}
	}
}

// storedUnder holds the stored objects of a definition to what it demands after
// a change. Those that are not valid before are not counted.
func storedUnder(ctx context.Context, config *rest.Config, before, after map[string]any) (s storedLine) {
	fail := func(err error) storedLine { s.Error = err.Error(); return s }
	b := lint.Bundle{Objects: []map[string]any{before}}
	definition := b.CRDs()[0]
	i := slices.IndexFunc(definition.Versions, func(v lint.Version) bool { return v.Served && (v.Storage || !served(definition, true)) })
	if i < 0 {
		return fail(errors.New("no version is served"))
	}
	version := definition.Versions[i].Name
	server := &crd.Server{}
	old, err := server.Form(before, version)
	if err != nil {
		return fail(err)
	}
	mended, err := server.Form(after, version)
	if err != nil {
		return fail(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return fail(err)
	}
	resource := schema.GroupVersionResource{Group: definition.Group, Version: version, Resource: definition.Plural}
	options := metav1.ListOptions{Limit: pageSize}
	for {
		page, err := client.Resource(resource).List(ctx, options)
		if err != nil {
			return fail(err)
		}
		for _, one := range page.Items {
			s.Objects++
			found := mended.Problems(one.Object)
			if len(found) == 0 || len(old.Problems(one.Object)) > 0 {
				continue
			}
			if s.Invalid++; s.First == "" {
				s.First = strings.TrimPrefix(one.GetNamespace()+"/"+one.GetName(), "/") + ": " + found[0].Path.String() + ": " + found[0].Message
			}
		}
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return s
		}
	}
}

// served reports whether the version that is stored is served.
func served(c lint.CRD, storage bool) bool {
	return slices.ContainsFunc(c.Versions, func(v lint.Version) bool { return v.Served && v.Storage == storage })
}
