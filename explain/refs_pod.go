package explain

import (
	"slices"
	"strings"
)

// podRefs are the references of a Pod that matter where it stands: the claims
// of one that the scheduler cannot place for them, the ConfigMaps, Secrets and
// claims of one whose containers are to be created, the Secrets for pulling
// images of one that is denied them, and the node of one that is lost.
func podRefs(n *node) []Ref {
	kinds := n.concerned()
	all := slices.DeleteFunc(n.named(), func(r Ref) bool { return !slices.Contains(kinds, r.ID.Kind) })
	if n.pullIsDenied() {
		for ref := range n.each("spec.imagePullSecrets") {
			id := ID{Cluster: n.ID.Cluster, Kind: "Secret", Namespace: n.ID.Namespace, Name: ref.text("name")}
			all = append(all, Ref{Path: ref.path + "name", ID: id, Optional: true})
		}
	}
	return all
}

// concerned returns the kinds of the objects that matter for a Pod.
func (n *node) concerned() (kinds []string) {
	if c := n.under("status.conditions[PodScheduled]"); !n.scheduled() {
		if hasAny(strings.ToLower(read(c.text("message"))), "volume", "pvc", "free storage") {
			kinds = append(kinds, "PersistentVolumeClaim")
		}
		return kinds
	}
	if n.text("status.phase") == "Pending" && n.length("status.containerStatuses") == 0 {
		kinds = append(kinds, "ConfigMap", "Secret", "PersistentVolumeClaim")
	}
	for c := range n.containers() {
		switch c.text("state.waiting.reason") {
		case "ContainerCreating", "CreateContainerConfigError":
			kinds = append(kinds, "ConfigMap", "Secret", "PersistentVolumeClaim")
		case "PodInitializing":
			if n.starting() {
				kinds = append(kinds, "ConfigMap", "Secret", "PersistentVolumeClaim")
			}
		}
	}
	for _, e := range n.told("FailedMount") {
		if strings.Contains(read(e.Message), "serviceaccount") {
			kinds = append(kinds, "ServiceAccount")
		}
	}
	if n.lost() {
		kinds = append(kinds, "Node")
	}
	return kinds
}

// named returns all that a Pod refers to by name.
func (n *node) named() (all []Ref) {
	add := func(f fields, path, kind string) {
		if name := f.text(path); name != "" {
			id := ID{Cluster: n.ID.Cluster, Kind: kind, Namespace: n.ID.Namespace, Name: name}
			all = append(all, Ref{Path: f.path + path, ID: id, Optional: f.is("optional")})
		}
	}
	for v := range n.each("spec.volumes") {
		add(v.under("secret"), "secretName", "Secret")
		add(v.under("configMap"), "name", "ConfigMap")
		add(v.under("persistentVolumeClaim"), "claimName", "PersistentVolumeClaim")
		for source := range v.each("projected.sources") {
			add(source.under("secret"), "name", "Secret")
			add(source.under("configMap"), "name", "ConfigMap")
		}
		if v.has("ephemeral") {
			id := ID{Cluster: n.ID.Cluster, Kind: "PersistentVolumeClaim", Namespace: n.ID.Namespace, Name: n.ID.Name + "-" + v.text("name")}
			all = append(all, Ref{Path: v.path + "ephemeral", ID: id, Optional: true})
		}
	}
	for _, list := range containerLists {
		for c := range n.each(list.spec) {
			for from := range c.each("envFrom") {
				add(from.under("secretRef"), "name", "Secret")
				add(from.under("configMapRef"), "name", "ConfigMap")
			}
			for env := range c.each("env") {
				add(env.under("valueFrom.secretKeyRef"), "name", "Secret")
				add(env.under("valueFrom.configMapKeyRef"), "name", "ConfigMap")
			}
		}
	}
	add(n.fields, "spec.serviceAccountName", "ServiceAccount")
	if name := n.text("spec.nodeName"); name != "" {
		all = append(all, Ref{Path: "spec.nodeName", ID: ID{Cluster: n.ID.Cluster, Kind: "Node", Name: name}, Optional: true})
	}
	return all
}

// pullIsDenied reports whether an image of a Pod cannot be pulled for want of
// access.
func (n *node) pullIsDenied() bool {
	for c := range n.containers() {
		if reason := c.text("state.waiting.reason"); reason != "ErrImagePull" && reason != "ImagePullBackOff" && !c.pullFailed() {
			continue
		}
		text := read(c.text("state.waiting.message"))
		for _, e := range c.pullEvents() {
			text += "\n" + read(e.Message)
			break
		}
		if way, _ := pullWayOf(strings.ToLower(withoutImage(text, c.image()))); way.kind == "ImageAccessDenied" {
			return true
		}
	}
	return false
}
