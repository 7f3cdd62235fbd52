package lint

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
		if text(o, "kind") == "CustomResourceDefinition" {
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
	spec, names := object(o, "spec"), object(o, "spec", "names")
	crd := CRD{Index: i, Raw: o, Name: nameOf(o), Group: text(spec, "group"), Kind: text(names, "kind"),
		Plural: text(names, "plural"), Scope: text(spec, "scope"), Labels: map[string]string{}}
	for k, v := range object(o, "metadata", "labels") {
		if s, ok := v.(string); ok {
			crd.Labels[k] = s
		}
	}
	versions, _ := spec["versions"].([]any)
	for j, item := range versions {
		crd.Versions = append(crd.Versions, readVersion(item, Path{"spec", "versions", j}))
	}
	return crd
}

// readVersion reads the version of a definition at a path.
func readVersion(item any, at Path) Version {
	v, _ := item.(map[string]any)
	served, _ := v["served"].(bool)
	storage, _ := v["storage"].(bool)
	return Version{Name: text(v, "name"), Served: served, Storage: storage, Raw: v, Path: at,
		Schema: Schema{Node: object(v, "schema", "openAPIV3Schema"), Path: at.With("schema", "openAPIV3Schema")}}
}

// HasStatus reports whether objects of the version have a status, by the schema or by the
// subresource.
func (v Version) HasStatus() bool {
	return object(v.Schema.Node, "properties", "status") != nil || v.StatusSubresource()
}

// StatusSubresource reports whether the version has the status subresource.
func (v Version) StatusSubresource() bool {
	return object(v.Raw, "subresources")["status"] != nil
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
	return Schema{Node: object(s.Node, "properties", name), Path: s.Path.With("properties", name)}
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
	return Schema{Node: object(s.Node, "items"), Path: s.Path.With("items")}
}

// Type returns the type of the field; empty if the schema has none.
func (s Schema) Type() string { return text(s.Node, "type") }

// object returns the object at the keys, nil if it is missing or not an object.
func object(at map[string]any, keys ...string) map[string]any {
	for _, key := range keys {
		at, _ = at[key].(map[string]any)
	}
	return at
}

func text(at map[string]any, key string) string {
	s, _ := at[key].(string)
	return s
}

func nameOf(o map[string]any) string { return text(object(o, "metadata"), "name") }
