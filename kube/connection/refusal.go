package connection

import (
	"cmp"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/watchlist"

	"kstatus.dev/internal/guard"
)

// A refusal is why no request is made for some objects; no error if one is.
type refusal struct{ err error }

// checkResource refuses a resource that is no part of a path.
func checkResource(r schema.GroupVersionResource) refusal {
	return refusal{cmp.Or(
		guard.CheckName("group", r.Group), guard.CheckName("version", r.Version), guard.CheckName("resource", r.Resource),
	)}
}

// orNamespace refuses a namespace as well.
func (r refusal) orNamespace(namespace string) refusal {
	return refusal{cmp.Or(r.err, guard.CheckName("namespace", namespace))}
}

// orName returns why an object is not requested, or a subresource of it.
func (r refusal) orName(name string, subresources []string) error {
	err := cmp.Or(r.err, guard.CheckName("object", name))
	for _, subresource := range subresources {
		err = cmp.Or(err, guard.CheckName("subresource", subresource))
	}
	return err
}

// streamsLists reports whether a client can begin a watch with a list. Fakes cannot.
func streamsLists(client any) bool { return !watchlist.DoesClientNotSupportWatchListSemantics(client) }
