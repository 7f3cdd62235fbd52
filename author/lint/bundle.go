package lint

import "kstatus.dev/internal/decoded"

// A Bundle holds objects that are installed together: definitions, and the other objects of a
// manifest, such as roles and metadata.yaml.
type Bundle struct {
	Objects []map[string]any // as decoded from JSON
}

// A CRD is one CustomResourceDefinition of a bundle.
type CRD struct {
	Index    int // the index in the objects of the bundle
	Raw      map[string]any
	Name     string
	Group    string
	Kind     string
	Plural   string
	Scope    string
	Labels   map[string]string
	Versions []Version
	siblings *versionFacts
}

// A Version is one version of a definition.
type Version struct {
	CRD     *CRD
	Name    string
	Served  bool
	Storage bool
	Raw     map[string]any
	Path    Path   // path of the version: spec.versions[0]
	Schema  Schema // openAPIV3Schema
}

// CRDs returns the definitions of the bundle, in order. Malformed fields of a definition read as
// absent.
func (b Bundle) CRDs() []CRD {
	var all []CRD
	for i, o := range b.Objects {
		if decoded.Text(o, "kind") == "CustomResourceDefinition" {
			all = append(all, readCRD(i, o))
		}
	}
	for i := range all {
		all[i].setVersions()
	}
	return all
}

// setVersions sets the definition in its versions.
func (crd *CRD) setVersions() {
	crd.siblings = &versionFacts{}
	for j := range crd.Versions {
		crd.Versions[j].CRD = crd
	}
}

// readCRD reads the definition with an index.
func readCRD(i int, o map[string]any) CRD {
	spec, names := decoded.Map(o, "spec"), decoded.Map(o, "spec", "names")
	crd := CRD{Index: i, Raw: o, Name: nameOf(o), Group: decoded.Text(spec, "group"), Kind: decoded.Text(names, "kind"),
		Plural: decoded.Text(names, "plural"), Scope: decoded.Text(spec, "scope"), Labels: map[string]string{}}
	for k, v := range decoded.Map(o, "metadata", "labels") {
		if s, ok := v.(string); ok {
			crd.Labels[k] = s
		}
	}
	for j, v := range decoded.Maps(spec, "versions") {
		crd.Versions = append(crd.Versions, readVersion(v, Path{"spec", "versions", j}))
	}
	return crd
}

// readVersion reads the version of a definition at a path.
func readVersion(v map[string]any, at Path) Version {
	return Version{Name: decoded.Text(v, "name"), Served: decoded.Bool(v, "served"), Storage: decoded.Bool(v, "storage"), Raw: v, Path: at,
		Schema: Schema{Node: decoded.Map(v, "schema", "openAPIV3Schema"), Path: at.With("schema", "openAPIV3Schema")}}
}

// HasStatus reports whether objects of the version have a status, by the schema or by the
// subresource.
func (v Version) HasStatus() bool {
	return decoded.Map(v.Schema.Node, "properties", "status") != nil || v.StatusSubresource()
}

// StatusSubresource reports whether the version has the status subresource.
func (v Version) StatusSubresource() bool {
	return decoded.At(v.Raw, "subresources", "status") != nil
}

// Status returns the schema of the status.
func (v Version) Status() Schema { return v.Schema.Property("status") }

// A Schema is a part of a structural schema, with its path in the definition. If the part does
// not exist, Node is nil, and Path is where it would be.
type Schema struct {
	Node map[string]any
	Path Path
}

// Exists reports whether the schema has this part.
func (s Schema) Exists() bool { return s.Node != nil }

// Property returns the schema of a field.
func (s Schema) Property(name string) Schema {
	return Schema{Node: decoded.Map(s.Node, "properties", name), Path: s.Path.With("properties", name)}
}

// At returns the schema of a nested field.
func (s Schema) At(names ...string) Schema {
	for _, name := range names {
		s = s.Property(name)
	}
	return s
}

// Items returns the schema of the items of a list.
func (s Schema) Items() Schema {
	return Schema{Node: decoded.Map(s.Node, "items"), Path: s.Path.With("items")}
}

// Type returns the type of the field; empty if the schema has none.
func (s Schema) Type() string { return decoded.Text(s.Node, "type") }

func nameOf(o map[string]any) string { return decoded.Text(o, "metadata", "name") }
