package status

// A Lookup returns another object than the one that is judged, nil if it is not
// known. It is called in the middle of a verdict, so it is to have what it
// returns at hand. A PersistentVolumeClaim's StorageClass is asked for, which
// says whether the claim waits for a Pod by design.
type Lookup func(kind Kind, namespace, name string) Object

// related reads a field of another object that this one refers to, such as a
// claim to its StorageClass; empty if nothing is known of that object.
func (f *Fields) related(kind Kind, namespace, name, field string) string {
	if f.hearing.related == nil {
		return ""
	}
	var v any
	if obj := f.hearing.related(kind, namespace, name); obj != nil {
		v = obj.UnstructuredContent()[field]
	}
	s, ok := text(v)
	if !ok && v != nil {
		f.malformed(kind.Kind+"/"+name+"."+field, "a string", v)
	}
	if f.traced() {
		f.saw(kind.Kind+"/"+name+"."+field, v)
	}
	return s
}
