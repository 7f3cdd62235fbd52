package kubectl

// OwnerCommands returns commands about the Helm release or the Flux object that installed
// an object. It returns nil if neither did. text returns the text of a field of the
// object.
func OwnerCommands(context, namespace string, text func(path string) string) (all []string) {
	add := func(command string) {
		if command != "" {
			all = append(all, command)
		}
	}
	for _, owner := range []struct{ group, kind string }{
		{"kustomize.toolkit.fluxcd.io", "Kustomization"}, {"helm.toolkit.fluxcd.io", "HelmRelease"},
	} {
		if name := text("metadata.labels[" + owner.group + "/name]"); name != "" {
			add(Command(context, text("metadata.labels["+owner.group+"/namespace]"), "get", Object(owner.group, owner.kind, name)))
			return all
		}
	}
	name := text("metadata.annotations[meta.helm.sh/release-name]")
	if name == "" || text("metadata.labels[app.kubernetes.io/managed-by]") != "Helm" {
		return nil
	}
	in := text("metadata.annotations[meta.helm.sh/release-namespace]")
	add(Helm(context, in, "history", Name(name)))
	if in == namespace { // a user who can set annotations chooses the release
		add(Helm(context, in, "rollback", Name(name)))
	}
	return all
}
