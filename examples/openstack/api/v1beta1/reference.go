package v1beta1

// IdentityReference names a cloud in a Secret of the same namespace.
type IdentityReference struct {
	// Name of the Secret. Its key clouds.yaml has the clouds, and its key cacert may have the
	// certificates that sign those of the services.
	Name string `json:"name"`
	// CloudName is the name of the cloud in clouds.yaml.
	CloudName string `json:"cloudName"`
	// Region replaces the region of the cloud in clouds.yaml.
	Region string `json:"region,omitempty"`
}

// Reference names a resource of OpenStack by its ID or by a filter.
type Reference struct {
	ID     string  `json:"id,omitempty"`
	Filter *Filter `json:"filter,omitempty"`
}

// Filter selects exactly one resource. Each field that is set must match.
type Filter struct {
	Name string `json:"name,omitempty"`
	// Tags are tags that the resource must have. It may have more.
	Tags []string `json:"tags,omitempty"`
}

// SubnetReference names a subnet by its ID or by a filter.
type SubnetReference struct {
	ID     string        `json:"id,omitempty"`
	Filter *SubnetFilter `json:"filter,omitempty"`
}

// SubnetFilter selects exactly one subnet. Each field that is set must match.
type SubnetFilter struct {
	Name string `json:"name,omitempty"`
	CIDR string `json:"cidr,omitempty"`
}

// NamedReference names a resource without tags by its ID or its name.
type NamedReference struct {
	ID     string      `json:"id,omitempty"`
	Filter *NameFilter `json:"filter,omitempty"`
}

// NameFilter selects exactly one resource.
type NameFilter struct {
	Name string `json:"name"`
}

// Resource is a resource of OpenStack that the provider has found or created.
type Resource struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
}
