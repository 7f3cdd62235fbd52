package explain

import (
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
)

// The words by which kubelets name an object of a Pod's namespace that does not
// exist, with its name in quotation marks after them.
var missingMarks = []struct{ mark, kind string }{
	{`secret "`, "Secret"},
	{`secrets "`, "Secret"},
	{`configmap "`, "ConfigMap"},
	{`configmaps "`, "ConfigMap"},
	{`serviceaccount "`, "ServiceAccount"},
	{`serviceaccounts "`, "ServiceAccount"},
	{`persistentvolumeclaim "`, "PersistentVolumeClaim"},
}

// missingNamed returns the objects of a namespace that a message says are not
// found, in the order in which it names them.
func missingNamed(of ID, message string) (all []ID) {
	for rest := message; rest != ""; {
		at, next := -1, ID{}
		for _, m := range missingMarks {
			i := strings.Index(rest, m.mark)
			name := messages.QuotedAfter(rest, m.mark)
			if i < 0 || name == "" || at >= 0 && i >= at || !strings.HasPrefix(rest[i+len(m.mark)+len(name)+1:], " not found") {
				continue
			}
			at, next = i+len(m.mark)+len(name), ID{Cluster: of.Cluster, Kind: m.kind, Namespace: of.Namespace, Name: name}
		}
		if at < 0 {
			return all
		}
		all = append(all, next)
		rest = rest[at:]
	}
	return all
}

// missingConfig tells what a message of a kubelet says is missing: an object, or
// a key in one.
func (n *node) missingConfig(f *found, message string, c container) bool {
	if ids := missingNamed(n.ID, message); len(ids) > 0 {
		n.notFound(f, ids[0])
		return true
	}
	for _, kind := range [...]string{"Secret", "ConfigMap"} {
		key, ok := messages.Between(message, "couldn't find key ", " in "+kind+" ")
		name := messages.After(message, " in "+kind+" ")
		if !ok || name == "" {
			continue
		}
		name, _, _ = strings.Cut(name, " ")
		name = strings.TrimPrefix(name, n.ID.Namespace+"/")
		n.keyMissing(f, ID{Cluster: n.ID.Cluster, Kind: kind, Namespace: n.ID.Namespace, Name: name}, key)
		return true
	}
	return false
}

// notFound makes a finding tell of an object that does not exist: in the same
// words for all who lack it, with the field that names it and what a lookup says.
func (n *node) notFound(f *found, id ID) {
	f.kind, f.text, f.key = "ReferenceMissing", lowerKind(id)+" not found", ""
	for _, ref := range n.named() {
		if ref.ID == id {
			f.evidence = append(f.evidence, n.evidence(ref.Path))
			break
		}
	}
	n.lookedUp(f, id)
	f.next = []string{id.kubectl("get", id.slash())}
}

// lookedUp adds what is known of an object that is said to be missing.
func (n *node) lookedUp(f *found, id ID) {
	switch to := n.scene.find(id); {
	case to == nil:
	case to.absent():
		f.evidence = append(f.evidence, Evidence{From: FromLookup, Object: to.ID, Value: "not found"})
	case to.Object != nil:
		f.text = lowerKind(id) + " was not found, and exists by now"
		f.evidence = append(f.evidence, Evidence{From: FromLookup, Object: to.ID, Value: "exists"})
	}
}

// keyMissing makes a finding tell of a key that an object does not have.
func (n *node) keyMissing(f *found, id ID, key string) {
	f.kind, f.text = "KeyMissing", lowerKind(id)+" has no key "+show.Quoted(key)
	f.key = f.text
	f.next = []string{id.kubectl("describe", id.slash())}
	for _, ref := range n.named() {
		if ref.ID == id {
			f.evidence = append(f.evidence, n.evidence(ref.Path))
			break
		}
	}
}
