package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// A request is what was asked for, as far as that is known without a server.
type request struct {
	items       []item       // the objects that files name
	definitions []status.Map // those of them that define kinds
	args        []string     // or else: TYPE/NAME ..., TYPE NAME ..., or TYPE
	sets        []string     // and besides TYPE/NAME ..., the sets that are named
	everything  bool         // or else: all that is in the namespace
}

// byType reports whether all objects of types are asked for, and not some by name.
func (r request) byType() bool {
	return len(r.args) == 1 && !strings.Contains(r.args[0], "/")
}

// byName reports whether single objects are asked for, and nothing besides.
func (r request) byName() bool { return len(r.args) > 0 && !r.byType() && len(r.sets) == 0 }

// named returns the names as they stand in the arguments, as TYPE/NAME.
func (r request) named() []string {
	names := slices.Clone(r.sets)
	if r.byType() || len(r.args) == 0 || strings.Contains(r.args[0], "/") {
		return append(names, r.args...)
	}
	for kind := range strings.SplitSeq(r.args[0], ",") {
		for _, name := range r.args[1:] {
			names = append(names, kind+"/"+name)
		}
	}
	return names
}

// request reads the arguments and the files. Of files, all that cannot be read
// is named in the error; the rest is good all the same.
func (s *selection) request(ctx context.Context, in io.Reader, args []string) (request, error) {
	if err := s.check(); err != nil {
		return request{}, err
	}
	files := len(s.files) > 0 || s.kustomize != ""
	r := request{everything: s.all && len(args) == 0 && !files}
	r.sets, r.args = setsAmong(args)
	switch {
	case files && len(args) > 0:
		return r, usagef("%s: want either files or names, have both", args[0])
	case !files && len(args) == 0 && !s.all:
		return r, usagef("want TYPE/NAME, TYPE, -f FILE, -k DIR or --all")
	case files && s.fieldSelector != "":
		return r, usagef("--field-selector: want a TYPE with it")
	case files:
		return s.inFiles(ctx, in)
	case len(r.sets) > 0 && len(r.args) > 0 && !strings.Contains(r.args[0], "/"):
		return r, usagef("%s: want TYPE/NAME beside %s", r.args[0], r.sets[0])
	case r.everything && s.fieldSelector != "":
		return r, usagef("--field-selector: want a TYPE with it, have --all")
	case r.byType(), r.everything:
	case s.all:
		return r, usagef("--all: want it without names, have %s", args[0])
	case s.allNamespaces:
		return r, usagef("-A: want a TYPE with it, have names")
	case s.selector != "" || s.fieldSelector != "":
		return r, usagef("-l and --field-selector: want a TYPE with them, have names")
	}
	return r, nil
}

// inFiles reads which objects files name.
func (s *selection) inFiles(ctx context.Context, in io.Reader) (r request, err error) {
	wanted, err := s.labels()
	if err != nil {
		return r, usageError(err)
	}
	var errs []error
	for _, p := range pieces(newReader(ctx, in).all(s.files, s.recursive, s.kustomize)) {
		for _, it := range p.decoded() {
			if err := unnamed(it); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", it.from, err))
				continue
			}
			if obj := status.Map(it.object); status.IsCRD(obj) {
				r.definitions = append(r.definitions, obj)
			}
			if wanted.Matches(labelsOf(it.object)) {
				r.items = append(r.items, it)
			}
		}
	}
	return r, errors.Join(errs...)
}

// unnamed returns why an item names no object of a cluster; nil if it does.
func unnamed(it item) error {
	id := identityOf(it.object)
	switch {
	case it.err != nil:
		return it.err
	case id.Kind == "":
		return errors.New("kind: want a string, have none")
	case id.Name == "":
		return fmt.Errorf("%s: metadata.name: want a name, have none", id.Kind)
	}
	return nil
}

func labelsOf(root map[string]any) labels.Set {
	set := labels.Set{}
	m, _ := at(root, "metadata", "labels").(map[string]any)
	for key, value := range m {
		set[key], _ = value.(string)
	}
	return set
}

// namespaces returns the namespaces that documents name; where none does, and for
// arguments, the one that is meant otherwise. Which documents are about what
// lives in no namespace, only a server knows.
func (r request) namespaces(otherwise string) (all []string) {
	for _, it := range r.items {
		if id := identityOf(it.object); id.Namespace != "" {
			all = append(all, id.Namespace)
		}
	}
	if len(all) == 0 && len(r.args)+len(r.sets)+len(r.items) > 0 || r.everything {
		return []string{otherwise}
	}
	return all
}

// summary sums a request up.
func (s *selection) summary(r request, clusters []*connected) summary {
	o := summary{clusters: s.contexts}
	for _, c := range clusters {
		if c.context != "" {
			o.contexts = append(o.contexts, c.context)
		}
		o.namespaces = append(o.namespaces, r.namespaces(c.namespace)...)
	}
	slices.Sort(o.namespaces)
	o.namespaces = slices.Compact(o.namespaces)
	if r.byType() || r.everything {
		o.subject, o.objects = "everything", -1
		if r.byType() {
			o.subject = r.args[0]
		}
		if s.selector != "" {
			o.subject += " -l " + s.selector
		}
		if s.fieldSelector != "" {
			o.subject += " --field-selector " + s.fieldSelector
		}
		if s.allNamespaces {
			o.namespaces = nil
		}
		return o
	}
	o.names = r.named()
	for _, it := range r.items {
		id := identityOf(it.object)
		o.names = append(o.names, id.Kind+"/"+id.Name)
	}
	if len(r.sets) > 0 || s.expand {
		o.subject, o.objects = abridged(o.names), -1
		return o
	}
	o.objects = len(o.names) * len(clusters)
	o.subject = text.Count(o.objects, "object")
	return o
}
