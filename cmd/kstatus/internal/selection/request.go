package selection

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/text"
	"kstatus.dev/kube/sets"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// A Request holds the objects in the arguments and files, as far as they are known without a
// server.
type Request struct {
	Objects     []manifest.Object // the objects of files.
	definitions []status.Map      // the CustomResourceDefinitions among them.
	Args        []string          // TYPE/NAME ..., TYPE NAME ..., or TYPE. Files allow only TYPE/NAME.
	sets        []string          // the named sets, in addition to the other objects.
	everything  bool              // all objects of the namespace are requested.

	hints map[sets.Owner]string // where sets that an earlier search has not found may be
}

// After returns the request for another search in the same cluster.
func (r Request) After(earlier Found) Request {
	r.hints = earlier.hints
	return r
}

// ByType reports whether the request is for all objects of types.
func (r Request) ByType() bool {
	return len(r.Args) == 1 && !strings.Contains(r.Args[0], "/")
}

// ByName reports whether the request is for single objects only.
func (r Request) ByName() bool {
	return len(r.Args) > 0 && !r.ByType() && len(r.sets)+len(r.Objects) == 0
}

// Releases returns the number of Helm releases among the sets.
func (r Request) Releases() (n int) {
	for _, set := range r.sets {
		if owner, ok := sets.ParseOwner(set, ""); ok && owner.Type == sets.TypeHelm {
			n++
		}
	}
	return n
}

// Names returns the names in the arguments, as TYPE/NAME.
func (r Request) Names() []string {
	names := slices.Clone(r.sets)
	if r.ByType() || len(r.Args) == 0 || strings.Contains(r.Args[0], "/") {
		return append(names, r.Args...)
	}
	for kind := range strings.SplitSeq(r.Args[0], ",") {
		for _, name := range r.Args[1:] {
			names = append(names, kind+"/"+name)
		}
	}
	return names
}

// Request reads the arguments and the files. If some files cannot be read, the error names them,
// and the result has the other files.
func (s *Flags) Request(ctx context.Context, env cli.Env, args []string) (Request, error) {
	if err := s.Check(); err != nil {
		return Request{}, err
	}
	files := len(s.Files) > 0 || s.Kustomize != ""
	r := Request{everything: s.All && len(args) == 0 && !files}
	r.sets, r.Args = setsIn(args)
	if err := checkSetNames(r.Args); err != nil {
		return r, err
	}
	if err := checkNames(r.sets, r.Args); err != nil {
		return r, err
	}
	switch {
	case files && r.ByType():
		return r, exit.Usagef("%s: want TYPE/NAME beside files, have a TYPE", r.Args[0])
	case files && len(args) > 0 && s.Selector != "":
		return r, exit.Usagef("-l cannot be used with names, such as %s", args[0])
	case !files && len(args) == 0 && !s.All:
		return r, exit.Usagef("want TYPE/NAME, TYPE, -f FILE, -k DIR or --all")
	case files && s.FieldSelector != "":
		return r, exit.Usagef("--field-selector requires a TYPE")
	case mixesForms(r.Args):
		return r, exit.Usagef("%s: want either TYPE/NAME ... or TYPE NAME ..., have both", strings.Join(r.Args, " "))
	case len(r.sets) > 0 && len(r.Args) > 0 && !strings.Contains(r.Args[0], "/"):
		return r, exit.Usagef("%s: want TYPE/NAME beside %s", r.Args[0], r.sets[0])
	case files:
		found, err := s.inFiles(ctx, env)
		found.Args, found.sets = r.Args, r.sets
		return found, err
	case r.everything && s.FieldSelector != "":
		return r, exit.Usagef("--field-selector requires a TYPE")
	case r.ByType(), r.everything:
	case s.All:
		return r, exit.Usagef("--all cannot be used with names, such as %s", args[0])
	case s.AllNamespaces:
		return r, exit.Usagef("-A requires a TYPE, not names")
	case s.Selector != "" || s.FieldSelector != "":
		return r, exit.Usagef("-l and --field-selector require a TYPE, not names")
	}
	return r, nil
}

// mixesForms reports whether some arguments are TYPE/NAME and others are not.
func mixesForms(args []string) bool {
	slashes := 0
	for _, arg := range args {
		if strings.Contains(arg, "/") {
			slashes++
		}
	}
	return slashes > 0 && slashes < len(args)
}

// inFiles reads the objects of the files.
func (s *Flags) inFiles(ctx context.Context, env cli.Env) (r Request, err error) {
	wanted, err := s.Labels()
	if err != nil {
		return r, exit.Usage(err)
	}
	var errs []error
	read := env.Reader(ctx)
	read.NoRemote = s.NoRemote
	for _, p := range manifest.Documents(read.Read(s.Files, s.Recursive, s.Kustomize)) {
		for _, it := range p.Objects() {
			if err := nameError(it); err != nil {
				errs = append(errs, s.documentError(it.From, err))
				continue
			}
			if obj := status.Map(it.Content); schema.IsCRD(obj) {
				r.definitions = append(r.definitions, obj)
			}
			if wanted.Matches(manifest.Labels(it.Content)) {
				r.Objects = append(r.Objects, it)
			}
		}
	}
	return r, errors.Join(errs...)
}

// documentError returns the error for a document that cannot be read. It is a usage error for a
// whole file in the arguments.
func (s *Flags) documentError(from manifest.Source, err error) error {
	isNamed := slices.ContainsFunc(s.Files, func(name string) bool { return filepath.Clean(name) == filepath.Clean(from.File) })
	if from.Line == 0 && (isNamed || s.Kustomize != "") {
		return fmt.Errorf("%s: %w", from, err)
	}
	return &DocumentError{From: from, Err: err}
}

// nameError returns an error if an item does not name an object of a cluster, otherwise nil.
func nameError(it manifest.Object) error {
	id := output.IDOf(it.Content)
	switch {
	case it.Err != nil:
		return it.Err
	case id.Kind.Kind == "":
		return errors.New("kind: want a string, have none")
	case manifest.LabelError(it.Content) != nil:
		return fmt.Errorf("%s: %w", id.Kind.Kind, manifest.LabelError(it.Content))
	case id.Name == "":
		if prefix := decoded.Text(it.Content, "metadata", "generateName"); prefix != "" {
			return generatedNameError(it.From.File, id.Kind.Kind, prefix)
		}
		return fmt.Errorf("%s: metadata.name: want a name, have none", id.Kind.Kind)
	}
	return nil
}

// generatedNameError returns the error for a document with generateName, whose name only the
// server knows.
func generatedNameError(file, kind, prefix string) error {
	if file == "-" {
		file = "FILE"
	}
	return fmt.Errorf("%s with generateName %s: only the server knows its name: kubectl create -f %s -o yaml | kstatus wait -f -", kind, prefix, file)
}

// namespaces returns the namespaces in documents. For arguments, and if no document has a
// namespace, it adds otherwise. It does not know which documents are cluster-scoped, since only
// a server does.
func (r Request) namespaces(otherwise string) (all []string) {
	for _, it := range r.Objects {
		if id := output.IDOf(it.Content); id.Namespace != "" {
			all = append(all, id.Namespace)
		}
	}
	if len(r.Args)+len(r.sets) > 0 || len(all) == 0 && len(r.Objects) > 0 || r.everything {
		all = append(all, otherwise)
	}
	return all
}

// Summary describes a request.
func (s *Flags) Summary(r Request, clusters []*connection.Cluster) output.Summary {
	o := output.Summary{Clusters: s.Contexts}
	for _, c := range clusters {
		if c.Context != "" {
			o.Contexts = append(o.Contexts, c.Context)
		}
		o.Namespaces = append(o.Namespaces, r.namespaces(c.Namespace)...)
	}
	slices.Sort(o.Namespaces)
	o.Namespaces = slices.Compact(o.Namespaces)
	if r.ByType() || r.everything {
		o.Subject, o.Objects = "all objects with a status", -1
		if r.ByType() {
			o.Subject = r.Args[0]
		}
		if s.Selector != "" {
			o.Subject += " -l " + s.Selector
		}
		if s.FieldSelector != "" {
			o.Subject += " --field-selector " + s.FieldSelector
		}
		if s.AllNamespaces {
			o.Namespaces = nil
		}
		return o
	}
	o.Names = r.Names()
	for _, it := range r.Objects {
		id := output.IDOf(it.Content)
		o.Names = append(o.Names, id.Kind.Kind+"/"+id.Name)
	}
	if len(r.sets) > 0 || s.Expand {
		o.Subject, o.Objects = Abridge(o.Names), -1
		return o
	}
	o.Objects = len(o.Names) * len(clusters)
	o.Subject = text.Count(o.Objects, "object")
	return o
}
