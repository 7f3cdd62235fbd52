package audit

import "kstatus.dev/capi"

// Role returns what the core of Cluster API takes the object's kind for: by
// [Options.Roles], or else by its group and kind.
func (p *Pass) Role() capi.Role {
	id := p.New.ID
	if role, set := p.auditor.options.Roles[id.Kind+"."+id.Group]; set {
		return role
	}
	return capi.RoleOf(id.Group, id.Kind, nil)
}
