package selection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/kube/sets"
	"kstatus.dev/kube/sets/follow"
	"kstatus.dev/observe"
)

// SetsHelp describes sets in the help of commands.
const SetsHelp = `A set is helm/NAME, applyset/NAME, kapp/NAME or kpt/NAME. With --expand, owners of
Flux, Argo CD, Crossplane and Cluster API also select the objects that they own.`

// setsIn returns the arguments that name sets, and the other arguments.
func setsIn(args []string) (named, others []string) {
	for _, arg := range args {
		if _, ok := sets.ParseOwner(arg, ""); ok {
			named = append(named, arg)
		} else {
			others = append(others, arg)
		}
	}
	return named, others
}

// checkSetNames returns an error for arguments that begin like a set but have no valid name.
func checkSetNames(args []string) error {
	for i, arg := range args {
		what, name, hasSlash := strings.Cut(arg, "/")
		if name != "" || !hasSlash && i > 0 || !slices.Contains(sets.Types(), sets.Type(what)) {
			continue
		}
		if name = "NAME"; !hasSlash && len(args) > 1 {
			name = args[1]
		}
		return exit.Usagef("%s requires the name of a set, as %s/%s", arg, what, name)
	}
	return nil
}

// checkNames returns an error for arguments that cannot be names of objects or sets.
func checkNames(named, others []string) error {
	for _, arg := range named {
		what, name, _ := strings.Cut(arg, "/")
		if strings.ContainsAny(name, ",*/") || sets.Type(what) == sets.TypeHelm && len(validation.IsValidLabelValue(name)) > 0 {
			return exit.Usagef("%s: want the name of one set, as %s/NAME", arg, what)
		}
	}
	if len(others) == 0 || !strings.Contains(others[0], "/") {
		return nil
	}
	for _, arg := range others {
		what, name, hasSlash := strings.Cut(arg, "/")
		// Names of roles may have any character except the slash.
		isRole := strings.Contains(strings.ToLower(what), "role")
		switch {
		case hasSlash && (what == "" || name == ""):
			return exit.Usagef("%s: want TYPE/NAME", arg)
		case strings.Contains(what, ","):
			return exit.Usagef("%s: want one TYPE with a slash; several objects are arguments of their own: TYPE/NAME TYPE/NAME", arg)
		case strings.Contains(name, ",") && !isRole:
			return exit.Usagef("%s: want names without commas; several objects are arguments of their own: %s", arg, strings.Join(strings.FieldsFunc(arg, func(r rune) bool { return r == ',' }), " "))
		case strings.Contains(name, "/"):
			return exit.Usagef("%s: want TYPE/NAME, with one slash", arg)
		case strings.Contains(name, "*") && !isRole:
			return exit.Usagef("%s: want the name of one object; %s alone means all, and -l chooses among them", arg, what)
		}
	}
	return nil
}

// Abridge returns the first few names as text.
func Abridge(names []string) string {
	const most = 3
	if more := len(names) - most; more > 0 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// findSets adds the objects of the named sets, or all objects in the namespace. It prints the notes
// about a set.
func (f *Found) findSets(ctx context.Context, s *Flags, r Request) error {
	var errs []error
	for _, arg := range r.sets {
		owner, _ := sets.ParseOwner(arg, f.Cluster.Namespace)
		set, err := f.Cluster.Sets().Find(ctx, owner)
		if missing, ok := errors.AsType[*sets.NotFoundError](err); ok {
			text := missing.Text
			if hint := f.elsewhere(ctx, owner); hint != "" {
				text, err = text+"; "+hint, fmt.Errorf("%w; %s", err, hint)
			}
			err = &MissingSetError{Owner: owner, Text: text, request: Request{sets: []string{arg}, hints: f.hints}, err: err}
		}
		objects := f.add(set)
		for i := range objects {
			f.homes[objects[i].Target] = owner.Namespace
			if set.Revision == nil {
				objects[i].OfSet = owner
			}
		}
		if set.Revision != nil {
			release := Release{Owner: owner, Revision: *set.Revision, Objects: Targets(objects)}
			if s.FollowReleases {
				f.Releases = append(f.Releases, release)
			} else if note := release.Note(); note != "" {
				f.Cluster.Note(note)
			}
		}
		f.Objects = append(f.Objects, objects...)
		errs = append(errs, err)
	}
	if r.everything {
		namespace := f.Cluster.Namespace
		if s.AllNamespaces {
			namespace = ""
		}
		cluster := f.Cluster.Sets()
		cluster.Deleting = s.Deleting
		set, err := cluster.FindAll(ctx, namespace, s.Selector)
		f.Objects = append(f.Objects, f.add(set)...)
		errs = append(errs, err)
	}
	return utilerrors.NewAggregate(errs)
}

// A MissingSetError means that a named set does not exist.
type MissingSetError struct {
	Owner sets.Owner
	Text  string

	request Request
	err     error
}

// Error names the set.
func (e *MissingSetError) Error() string { return e.err.Error() }

// Unwrap returns the error of package sets.
func (e *MissingSetError) Unwrap() error { return e.err }

// Request returns a request for the set alone.
func (e *MissingSetError) Request() Request { return e.request }

// RequestSet returns a request for a set alone.
func RequestSet(o sets.Owner) Request { return Request{sets: []string{o.String()}} }

// SetTarget returns the target that represents a set until it is found.
func SetTarget(c *connection.Cluster, o sets.Owner) observe.Target {
	t := follow.TargetOf(o)
	t.Cluster = c.Name
	return t
}

// expand adds the objects that the found objects own.
func (f *Found) expand(ctx context.Context) error {
	known := make(map[observe.Target]Object, len(f.Objects))
	roots := make([]observe.Target, len(f.Objects))
	for i, o := range f.Objects {
		roots[i] = o.Target
		roots[i].Cluster = ""
		known[o.Target] = o
	}
	set, err := f.Cluster.Sets().Expand(ctx, roots...)
	f.Objects = f.add(set)
	for i, o := range f.Objects {
		if given, ok := known[o.Target]; ok {
			f.Objects[i] = given
		}
	}
	return err
}

// Revisions returns the latest revisions of the requested Helm releases, as "revision 3 of helm/web".
// A release that cannot be read has none: reading its objects returns the error.
func (r Request) Revisions(ctx context.Context, clusters []*connection.Cluster) (all []string) {
	for _, c := range clusters {
		for _, set := range r.sets {
			owner, _ := sets.ParseOwner(set, c.Namespace)
			if owner.Type != sets.TypeHelm {
				continue
			}
			if found, err := c.Sets().Revisions(ctx, owner); err == nil {
				all = append(all, revisionText(owner, found))
			}
		}
	}
	return all
}

// revisionText returns the latest revision as text. Helm keeps one deployed revision, so an earlier
// deployed one shows that something else may have written the latest one.
func revisionText(o sets.Owner, found []sets.Revision) string {
	last := found[len(found)-1]
	text := fmt.Sprintf("revision %d of %s", last.Number, o)
	for _, r := range found[:len(found)-1] {
		if last.Status == "deployed" && r.Status == "deployed" {
			return text + fmt.Sprintf(" (revision %d is deployed too)", r.Number)
		}
	}
	return text
}
