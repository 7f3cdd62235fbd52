package selection

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// selections returns a target for each type of a TYPE[,TYPE...]: all of its
// objects that match, whether they exist already or not.
func (s *Flags) selections(c *connection.Cluster, types string) (all []Object, err error) {
	for name := range strings.SplitSeq(types, ",") {
		mappings, err := c.Types(name)
		if err != nil {
			return nil, err
		}
		for _, m := range mappings {
			t := observe.Target{
				Kind:    status.Kind{Group: m.GroupVersionKind.Group, Kind: m.GroupVersionKind.Kind},
				Cluster: c.Name,
				Match:   observe.Matching(s.Selector, s.FieldSelector),
			}
			if m.Scope.Name() == meta.RESTScopeNameNamespace && !s.AllNamespaces {
				t.Namespace = c.Namespace
			}
			all = append(all, Object{Target: t})
		}
	}
	return all, nil
}
