package lint

import (
	"maps"
	"slices"
	"strings"

	"kstatus.dev/internal/decoded"
)

// clusterAPI reads an object of a provider like the core of Cluster API: by the boolean of its
// contract, without its conditions and generations. Once true, it is final. The condition Ready
// is only shown to users.
//
// Source: Cluster API, "Provider contracts", of v1beta2 and of v1beta1.
func clusterAPI(x scenarioObject) ToolVerdict {
	path := contractField(x.version)
	field := strings.Join(path, ".")
	if decoded.Bool(x.object, path...) {
		return ToolVerdict{Output: "initialized", Done: true, Why: field + " is true, which is final",
			Advice: "no change of the definition: Cluster API reads " + field + " only until it is true"}
	}
	return ToolVerdict{Output: "waits", Why: field + " is not true", Advice: "a controller that sets " + field}
}

// hasContract reports whether Cluster API reads objects of the kind.
func hasContract(v Version) bool { return contractField(v) != nil }

// contractField returns the boolean that Cluster API waits for, by the newest contract in the
// labels of the definition.
func contractField(v Version) []string {
	const label = "cluster.x-k8s.io/"
	if v.CRD.Labels[label+"v1beta2"] != "" {
		for _, name := range slices.Sorted(maps.Keys(decoded.Map(v.Status().Property("initialization").Node, "properties"))) {
			if v.Status().At("initialization", name).Type() == "boolean" {
				return []string{"status", "initialization", name}
			}
		}
		return nil
	}
	if v.CRD.Labels[label+"v1beta1"] != "" && v.Status().Property("ready").Type() == "boolean" {
		return []string{"status", "ready"}
	}
	return nil
}
