package selection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/cli-runtime/pkg/resource"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/directive"
	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// ClusterTypes are the types of objects without a namespace whose status matters to all users of
// a cluster, except for CustomResourceDefinitions.
var ClusterTypes = []string{"namespaces", "nodes", "persistentvolumes", "apiservices.apiregistration.k8s.io"}

// An Object is a requested object, or a selection of objects.
type Object struct {
	Target     observe.Target
	From       *manifest.Source // the file with the object; nil without one.
	Named      bool             // an argument or a file names the object.
	Listed     status.Object    // the object from a list request; nil without one.
	MinVersion observe.Version  // the version in the file, if the object is from a server.
	Applied    status.Object    // the object in the file, if it has a generation; else nil.
	OfSet      sets.Owner       // the set that it is of, if that has no revisions, so that the applied version is not known.
	Hook       bool             // the object is a Helm hook, which exists only after Helm has run it.
	Category   string           // the category that a selection is one type of, such as all; empty without one.

	Directives directive.Directives // the annotations of the object in the file
	Problems   []string             // errors in these annotations
}

// List returns the objects of a cluster that the flags and a request select. Objects of files
// and named objects need not exist. It lists the objects of a TYPE, and looks up the objects of
// a set. It reads only the metadata of Secrets.
func (s *Flags) List(ctx context.Context, c *connection.Cluster, r Request) (Found, error) {
	defer c.NoteUnmatchedRules()
	f := newFound(c, r)
	err := f.findSets(ctx, s, r)
	inFile, unserved := inFiles(c, r)
	f.Objects, err = append(f.Objects, inFile...), utilerrors.NewAggregate([]error{err, unserved})
	if len(r.Args) > 0 {
		named, unnamed := s.byName(c, r.Args)
		f.Objects, err = append(f.Objects, named...), utilerrors.NewAggregate([]error{err, unnamed})
	}
	f.Objects, err = removeDuplicates(f.Objects, connection.InContext(c.Name, err))
	if s.Expand {
		err = utilerrors.NewAggregate([]error{err, f.expand(ctx)})
	}
	return *f, err
}

// Resolve returns the objects like List, except that it returns a selection for a TYPE, for a
// watch. With --expand it also lists the objects of a TYPE.
func (s *Flags) Resolve(ctx context.Context, c *connection.Cluster, r Request) (Found, error) {
	if r.ByType() && !s.Expand {
		defer c.NoteUnmatchedRules()
		all, err := removeDuplicates(s.selections(c, r.Args[0]))
		return Found{Cluster: c, Objects: all}, connection.InContext(c.Name, err)
	}
	return s.List(ctx, c, r)
}

// Selections returns a selection for each requested type, or nil if a type is not served.
func (s *Flags) Selections(c *connection.Cluster, r Request) []Object {
	all, err := s.selections(c, r.Args[0])
	if err != nil {
		return nil
	}
	return all
}

// removeDuplicates removes objects with a target that came before.
func removeDuplicates(all []Object, err error) ([]Object, error) {
	seen := map[observe.Target]bool{}
	return slices.DeleteFunc(all, func(o Object) bool {
		twice := seen[o.Target]
		seen[o.Target] = true
		return twice
	}), err
}

// byName resolves the arguments with cli-runtime, so that they have the same meaning as for
// kubectl.
func (s *Flags) byName(c *connection.Cluster, args []string) (all []Object, err error) {
	args, unserved := servedArgs(c, args)
	if len(args) == 0 {
		return nil, unserved
	}
	b := resource.NewBuilder(metadataOfSecrets{c.Flags}).
		Unstructured().
		ContinueOnError().
		NamespaceParam(c.Namespace).DefaultNamespace().AllNamespaces(s.AllNamespaces).
		LabelSelectorParam(s.Selector).
		FieldSelectorParam(s.FieldSelector).
		RequestChunksOf(s.chunkSize()).
		RequireObject(false).
		ResourceTypeOrNameArgs(true, args...)
	err = s.selectorError(args, b.Do().Visit(func(info *resource.Info, err error) error {
		if err != nil {
			return err
		}
		kind := status.Kind(info.Mapping.GroupVersionKind.GroupKind())
		if info.Object == nil {
			t := observe.Target{Kind: kind, Namespace: info.Namespace, Name: info.Name, Cluster: c.Name}
			if info.Mapping.Scope.Name() != meta.RESTScopeNameNamespace {
				t.Namespace = ""
			}
			all = append(all, Object{Target: t, Named: true})
			return nil
		}
		return meta.EachListItem(info.Object, func(item runtime.Object) error {
			u, ok := item.(*unstructured.Unstructured)
			if !ok {
				return fmt.Errorf("list %s: want objects, have %T", kind, item)
			}
			u.SetGroupVersionKind(info.Mapping.GroupVersionKind)
			t := observe.Target{Kind: kind, Namespace: u.GetNamespace(), Name: u.GetName(), Cluster: c.Name}
			all = append(all, Object{Target: t, Listed: u})
			return nil
		})
	}))
	return all, utilerrors.NewAggregate([]error{unserved, err})
}

// servedArgs returns the arguments whose types are served, and an error for each other type.
func servedArgs(c *connection.Cluster, args []string) (served []string, err error) {
	var errs []error
	isServed := func(name, arg string, object bool) bool {
		_, err := c.Types(name)
		wrong, unserved := errors.AsType[*connection.TypeError](err)
		if unserved {
			wrong.Object, wrong.Arg = object, arg
			errs = append(errs, wrong)
		}
		return !unserved // cli-runtime reports all other errors
	}
	if strings.Contains(args[0], "/") {
		for _, arg := range args {
			if name, _, _ := strings.Cut(arg, "/"); name == "" || isServed(name, arg, true) {
				served = append(served, arg)
			}
		}
		return served, utilerrors.NewAggregate(errs)
	}
	var types []string
	for name := range strings.SplitSeq(args[0], ",") {
		if name == "" || isServed(name, "", len(args) > 1) {
			types = append(types, name)
		}
	}
	if len(types) > 0 {
		served = append([]string{strings.Join(types, ",")}, args[1:]...)
	}
	return served, utilerrors.NewAggregate(errs)
}

// UnservedTarget returns the target for a TYPE/NAME whose type is not served. The target is in
// the namespace of the cluster, although the type may turn out to be cluster-scoped.
func UnservedTarget(c *connection.Cluster, arg string) observe.Target {
	what, name, _ := strings.Cut(arg, "/")
	kind, group, _ := strings.Cut(what, ".")
	return observe.Target{Kind: status.Kind{Group: group, Kind: kind}, Namespace: c.Namespace, Name: name, Cluster: c.Name}
}

// selectorError returns an error with the unsupported fields of a field selector, if cli-runtime
// reports only that no object was found.
func (s *Flags) selectorError(args []string, err error) error {
	if s.FieldSelector == "" || !slices.ContainsFunc(connection.FlattenErrors(err), apierrors.IsBadRequest) {
		return err
	}
	return fmt.Errorf("--field-selector %s: the server does not select %s by these fields; metadata.name and metadata.namespace select objects of all types", s.FieldSelector, args[0])
}

// chunkSize returns the maximum number of objects in one response to a list; 0 for no limit.
func (s *Flags) chunkSize() int64 {
	if s.ChunkSize == nil {
		return defaultChunkSize
	}
	return *s.ChunkSize
}

// defaultChunkSize is the default of kubectl get.
const defaultChunkSize = 500

// inFiles returns the objects that files name. It uses only their names, except that it
// registers CustomResourceDefinitions for the expectations of their kinds. If a kind is not
// served yet, the namespace stays as in the file until the kind is served. It returns errors for
// kinds that the cluster cannot get.
func inFiles(c *connection.Cluster, r Request) (all []Object, err error) {
	for _, definition := range r.definitions {
		c.Client.AddDefinition(definition)
	}
	var errs []error
	var tests []string
	for _, it := range r.Objects {
		id := output.IDOf(it.Content)
		isHook, isTest := helmHook(it.Content)
		if isTest {
			tests = append(tests, id.Kind.Kind+"/"+id.Name)
			continue
		}
		t := observe.TargetOf(id)
		t.Cluster = c.Name
		mapping, err := c.Mapper.RESTMapping(schema.GroupKind(id.Kind))
		if err := c.NeverServed(t.Kind, err); err != nil {
			errs = append(errs, &DocumentError{From: it.From, Err: err})
			continue
		}
		switch {
		case err != nil:
		case mapping.Scope.Name() != meta.RESTScopeNameNamespace:
			t.Namespace = ""
		case t.Namespace == "":
			t.Namespace = c.Namespace
		case c.Flags.Namespace != nil && *c.Flags.Namespace != "" && t.Namespace != *c.Flags.Namespace:
			errs = append(errs, &DocumentError{From: it.From, Err: fmt.Errorf("the object is of namespace %q, and -n is %q", t.Namespace, *c.Flags.Namespace)})
			continue
		}
		o := Object{Target: t, Named: true, From: &it.From, MinVersion: minVersionOf(it.Content), Hook: isHook}
		if o.MinVersion.Generation > 0 {
			o.Applied = status.Map(it.Content)
		}
		o.Directives, o.Problems = directive.Of(it.Content)
		all = append(all, o)
	}
	if len(tests) > 0 {
		c.Note(Abridge(tests) + ": left out, because only helm test creates them; helm template --skip-tests leaves them out too")
	}
	return removeDuplicates(all, utilerrors.NewAggregate(errs))
}

// helmHook reports whether an object of a file is a Helm hook, and whether only helm test runs
// it. An object with a uid exists already, so it is not a hook.
func helmHook(root map[string]any) (isHook, isTest bool) {
	events := decoded.Text(root, "metadata", "annotations", "helm.sh/hook")
	if events == "" || decoded.Text(root, "metadata", "uid") != "" {
		return false, false
	}
	isTest = true
	for event := range strings.SplitSeq(events, ",") {
		switch strings.TrimSpace(event) {
		case "crd-install":
			return false, false // an ordinary object since Helm 3
		case "test", "test-success", "test-failure":
		default:
			isTest = false
		}
	}
	return true, isTest
}

// minVersionOf returns the version of a document. Only objects from a server have one, as in the
// output of kubectl apply -o yaml.
func minVersionOf(root map[string]any) observe.Version {
	v := observe.Version{
		UID:             decoded.Text(root, "metadata", "uid"),
		ResourceVersion: decoded.Text(root, "metadata", "resourceVersion"),
	}
	if n := manifest.IntegerAt(root, "metadata", "generation"); n != nil {
		v.Generation = *n
	}
	return v
}

// Targets returns the targets of the selected objects.
func Targets(all []Object) []observe.Target {
	targets := make([]observe.Target, len(all))
	for i, o := range all {
		targets[i] = o.Target
	}
	return targets
}

// selections returns a selection for each type of TYPE[,TYPE...]. It selects all matching
// objects, including later ones.
func (s *Flags) selections(c *connection.Cluster, types string) (all []Object, err error) {
	for name := range strings.SplitSeq(types, ",") {
		mappings, err := c.Types(name)
		if err != nil {
			return nil, err
		}
		for _, m := range mappings {
			t := observe.Target{
				Kind:          status.Kind(m.GroupVersionKind.GroupKind()),
				Cluster:       c.Name,
				LabelSelector: s.Selector, FieldSelector: s.FieldSelector,
			}
			if m.Scope.Name() == meta.RESTScopeNameNamespace && !s.AllNamespaces {
				t.Namespace = c.Namespace
			}
			o := Object{Target: t}
			if len(mappings) > 1 {
				o.Category = name
			}
			all = append(all, o)
		}
	}
	return all, nil
}
