package audit

import "kstatus.dev/author/roles"

// Role returns the role of the object's kind in Cluster API, by [Options].Roles
// or by its group and kind.
func (p *Pass) Role() roles.Role {
	id := p.New.ID
	if role, set := p.auditor.options.Roles[id.Kind.Kind+"."+id.Group]; set {
		return role
	}
	return roles.Of(id.Group, id.Kind.Kind, nil)
}
