package explain

import (
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// The words of a kubelet before the quoted name of a missing object in the namespace of
// the Pod.
var missingMarks = []struct{ mark, kind string }{
	{`secret "`, "Secret"},
	{`secrets "`, "Secret"},
	{`configmap "`, "ConfigMap"},
	{`configmaps "`, "ConfigMap"},
	{`serviceaccount "`, "ServiceAccount"},
	{`serviceaccounts "`, "ServiceAccount"},
	{`persistentvolumeclaim "`, "PersistentVolumeClaim"},
}

// missingNamed returns the objects of a namespace that a message reports as not found, in
// the order of the message.
func missingNamed(of status.ID, message string) (all []status.ID) {
	for rest := message; rest != ""; {
		at, next := -1, status.ID{}
		for _, m := range missingMarks {
			i := strings.Index(rest, m.mark)
			name := messages.QuotedAfter(rest, m.mark)
			if i < 0 || name == "" || at >= 0 && i >= at || !strings.HasPrefix(rest[i+len(m.mark)+len(name)+1:], " not found") {
				continue
			}
			at, next = i+len(m.mark)+len(name), status.ID{Cluster: of.Cluster, Kind: status.Kind{Kind: m.kind}, Namespace: of.Namespace, Name: name}
		}
		if at < 0 {
			return all
		}
		all = append(all, next)
		rest = rest[at:]
	}
	return all
}

// missingConfig explains which object, or which key of an object, a message of a kubelet
// reports as missing.
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
		o.keyMissing(f, o.refer(status.Kind{Kind: kind}, o.ID.Namespace, name), key)
		return true
	}
	return false
}

// notFound explains that an object is missing, and whether its namespace exists.
func (o *object) notFound(f *finding, id status.ID) {
	f.kind, f.text, f.key, f.missing = "ReferenceMissing", kindAndName(id)+" not found", "", id
	f.evidence = append(f.evidence, o.referencePath(id)...)
	o.addLookup(f, id)
	f.next = []string{commandFor(id, "get", slash(id))}
}

// addLookup adds the result of looking up an object that is reported as missing.
func (o *object) addLookup(f *finding, id status.ID) {
	switch to := o.index.find(id); {
	case to == nil:
	case to.isMissing():
		f.evidence = append(f.evidence, Evidence{From: OriginLookup, Object: to.ID, Value: "not found"})
	case to.Object != nil:
		f.text = kindAndName(id) + " was not found, but exists now"
		f.evidence = append(f.evidence, Evidence{From: OriginLookup, Object: to.ID, Value: "exists"})
	}
}

// keyMissing makes f the finding that an object does not have a key.
func (o *object) keyMissing(f *finding, id status.ID, key string) {
	f.kind, f.text = "KeyMissing", kindAndName(id)+" has no key "+show.Quoted(key)
	f.key = f.text
	f.next = []string{commandFor(id, "describe", slash(id))}
	f.evidence = append(f.evidence, o.referencePath(id)...)
}

// kindAndName returns the name of an object for a sentence: "secret shop/db-creds".
func kindAndName(id status.ID) string {
	name := id.Name
	if id.Namespace != "" {
		name = id.Namespace + "/" + name
	}
	return strings.ToLower(id.Kind.Kind) + " " + name
}
