package lint

import (
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/author/severity"
)

var statusSize = &Check{
	ID: "L-43", Name: "status-size", Severity: severity.Info,
	Doc: `a status fits into etcd, whatever its controller writes

etcd rejects requests above 1.5 MiB ("System limits" in its documentation), so an object
of that size blocks every later write of its status. A list that grows with the cluster,
or many conditions with long messages, stop a controller on the largest cluster first.

Fix: maxItems for each list, and bounds for conditions. Their product with the
longest message must stay below the limit: 32 conditions of 32768 characters take 1 MiB.
Only the author knows the right bounds, so the check has no fix.`,
	Version: func(p *Pass, v Version) {
		if list, ok := v.conditions(); ok {
			most, bounded := number(list.Node["maxItems"])
			longest, given := number(list.Items().Property("message").Node["maxLength"])
			if !given {
				longest = maxMessageLength
			}
			if bounded && most*longest > etcdLimit {
				p.Report(Finding{
					Path:       list.Path.With("maxItems"),
					Message:    fmt.Sprintf("%v conditions with messages of %v characters do not fit into etcd", most, longest),
					Suggestion: "maxItems: 32",
				})
			}
		}
		var unbounded []string
		own := v.Status().Property("conditions").Path.String()
		prefix := len(v.Status().Path)
		eachSchema(v.Status(), func(s Schema) {
			if _, has := number(s.Node["maxItems"]); s.Type() == "array" && !has && s.Path.String() != own {
				unbounded = append(unbounded, fieldName(s.Path[prefix:]))
			}
		})
		if len(unbounded) > 0 {
			slices.Sort(unbounded)
			p.Report(Finding{
				Path:       v.Status().Path,
				Message:    fmt.Sprintf("%d of its lists are not bounded: %s", len(unbounded), strings.Join(bounded(unbounded), ", ")),
				Suggestion: "maxItems for each",
			})
		}
	},
}

// etcdLimit is the default limit of etcd for a request, in bytes.
const etcdLimit = 1.5 * 1024 * 1024

// fieldName returns the name of a field of objects from the path of its schema:
// properties.a.items.properties.b is a[].b.
func fieldName(path Path) string {
	name := ""
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case "properties":
			if i++; i < len(path) {
				step, _ := path[i].(string)
				name += "." + step
			}
		case "items":
			name += "[]"
		case "additionalProperties":
			name += ".*"
		}
	}
	return "status" + name
}
