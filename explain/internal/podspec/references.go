package podspec

import "kstatus.dev/explain/internal/fields"

// A Reference is an object that a Pod names. All except the Node are in the namespace of
// the Pod.
type Reference struct {
	Path     string // of the field
	Kind     string // of the core group
	Name     string
	Optional bool // the Pod starts without it
}

// References returns all objects that a Pod names.
func References(pod fields.Section, podName string) []Reference {
	var r references
	for v := range pod.Each("spec.volumes") {
		r.addVolume(v, podName)
	}
	for _, list := range ContainerLists {
		for c := range pod.Each(list.Spec) {
			r.addEnv(c)
		}
	}
	r.add(pod, "spec.serviceAccountName", "ServiceAccount")
	if name := pod.Text("spec.nodeName"); name != "" {
		r = append(r, Reference{Path: "spec.nodeName", Kind: "Node", Name: name, Optional: true})
	}
	return r
}

type references []Reference

// add adds the object that a field names, if it is set.
func (r *references) add(s fields.Section, path, kind string) {
	if name := s.Text(path); name != "" {
		*r = append(*r, Reference{Path: s.Path + path, Kind: kind, Name: name, Optional: s.Is("optional")})
	}
}

func (r *references) addVolume(v fields.Section, podName string) {
	r.add(v.Under("secret"), "secretName", "Secret")
	r.add(v.Under("configMap"), "name", "ConfigMap")
	r.add(v.Under("persistentVolumeClaim"), "claimName", "PersistentVolumeClaim")
	for source := range v.Each("projected.sources") {
		r.add(source.Under("secret"), "name", "Secret")
		r.add(source.Under("configMap"), "name", "ConfigMap")
	}
	if v.Has("ephemeral") {
		*r = append(*r, Reference{Path: v.Path + "ephemeral", Kind: "PersistentVolumeClaim", Name: podName + "-" + v.Text("name"), Optional: true})
	}
}

func (r *references) addEnv(container fields.Section) {
	for from := range container.Each("envFrom") {
		r.add(from.Under("secretRef"), "name", "Secret")
		r.add(from.Under("configMapRef"), "name", "ConfigMap")
	}
	for env := range container.Each("env") {
		r.add(env.Under("valueFrom.secretKeyRef"), "name", "Secret")
		r.add(env.Under("valueFrom.configMapKeyRef"), "name", "ConfigMap")
	}
}
