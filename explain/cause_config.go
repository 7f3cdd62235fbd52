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
func (o *object) missingConfig(f *finding, message string, c container) bool {
	if ids := missingNamed(o.ID, message); len(ids) > 0 {
		o.notFound(f, ids[0])
		return true
	}
	for _, kind := range [...]string{"Secret", "ConfigMap"} {
		key, ok := messages.Between(message, "couldn't find key ", " in "+kind+" ")
		name := messages.After(message, " in "+kind+" ")
		if !ok || name == "" {
			continue
		}
		name, _, _ = strings.Cut(name, " ")
		name = strings.TrimPrefix(name, o.ID.Namespace+"/")
		o.keyMissing(f, ID{Cluster: o.ID.Cluster, Kind: kind, Namespace: o.ID.Namespace, Name: name}, key)
		return true
	}
	return false
}

// notFound finds that an object that was asked about does not exist, and whether its
// namespace does.
func (o *object) notFound(f *finding, id ID) {
	f.kind, f.text, f.key = "ReferenceMissing", kindAndName(id)+" not found", ""
	for _, ref := range o.podReferences() {
		if ref.ID == id {
			f.evidence = append(f.evidence, o.evidence(ref.Path))
			break
		}
	}
	o.addLookup(f, id)
	f.next = []string{id.kubectl("get", id.slash())}
}

// addLookup adds what is known of an object that is reported missing.
func (o *object) addLookup(f *finding, id ID) {
	switch to := o.index.find(id); {
	case to == nil:
	case to.isMissing():
		f.evidence = append(f.evidence, Evidence{From: OriginLookup, Object: to.ID, Value: "not found"})
	case to.Object != nil:
		f.text = kindAndName(id) + " was not found, and exists by now"
		f.evidence = append(f.evidence, Evidence{From: OriginLookup, Object: to.ID, Value: "exists"})
	}
}

// keyMissing makes a finding tell of a key that an object does not have.
func (o *object) keyMissing(f *finding, id ID, key string) {
	f.kind, f.text = "KeyMissing", kindAndName(id)+" has no key "+show.Quoted(key)
	f.key = f.text
	f.next = []string{id.kubectl("describe", id.slash())}
	for _, ref := range o.podReferences() {
		if ref.ID == id {
			f.evidence = append(f.evidence, o.evidence(ref.Path))
			break
		}
	}
}
