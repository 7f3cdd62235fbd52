package audit

import "kstatus.dev/capi"

// Role returns what the core of Cluster API takes the object's kind for: by
// [Options.Roles], or else by its group and kind.
func (l *Pass) Role() capi.Role {
	id := l.New.ID
	if role, set := l.auditor.options.Roles[id.Kind+"."+id.Group]; set {
		return role
	}
	return capi.RoleOf(id.Group, id.Kind, nil)
}
