package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// Named returns the objects of files that match the arguments.
func Named(args []string, all []output.Verdict) ([]output.Verdict, error) {
	return selectNamed(args, all)
}

// selectNamed returns the objects of files that match the arguments or, without arguments, all
// objects except parts of others.
func selectNamed(args []string, all []output.Verdict) ([]output.Verdict, error) {
	if len(args) == 0 {
		return withoutParts(all), nil
	}
	var found []output.Verdict
	for _, name := range (selection.Request{Args: args}).Names() {
		known := false
		for _, v := range all {
			if matchesArg(name, v.ID) {
				known = true
				if !slices.ContainsFunc(found, func(a output.Verdict) bool { return a.ID == v.ID }) {
					found = append(found, v)
				}
			}
		}
		if !known {
			return nil, &exit.Error{Code: exit.Missing, Err: fmt.Errorf("%s: no such object in the files", name)}
		}
	}
	return found, nil
}

// withoutParts removes objects that others among them own.
func withoutParts(all []output.Verdict) []output.Verdict {
	uids := map[string]bool{}
	for _, v := range all {
		uids[decoded.Text(v.ObjectFact.Object, "metadata", "uid")] = true
	}
	delete(uids, "")
	return slices.DeleteFunc(slices.Clone(all), func(v output.Verdict) bool {
		for _, owner := range decoded.Maps(v.ObjectFact.Object, "metadata", "ownerReferences") {
			if uids[decoded.Text(owner, "uid")] {
				return true
			}
		}
		return false
	})
}

// matchesArg reports whether TYPE/NAME, or TYPE alone, matches an object. Without a server, a
// TYPE is a kind, its plural, or one of kubectl's short names, with or without the group.
func matchesArg(text string, id status.ID) bool {
	types, name, one := strings.Cut(text, "/")
	if one && name != id.Name {
		return false
	}
	for kind := range strings.SplitSeq(types, ",") {
		kind, group, grouped := strings.Cut(kind, ".")
		plural, singular := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Group: id.Group, Kind: id.Kind.Kind})
		if long := shortNames[strings.ToLower(kind)]; long != "" {
			kind = long
		}
		if grouped && group != id.Group {
			continue
		}
		if strings.EqualFold(kind, id.Kind.Kind) || strings.EqualFold(kind, plural.Resource) || strings.EqualFold(kind, singular.Resource) {
			return true
		}
	}
	return false
}

// shortNames are kubectl's short names for the kinds of every cluster.
var shortNames = map[string]string{
	"cj": "CronJob", "cm": "ConfigMap", "crd": "CustomResourceDefinition", "deploy": "Deployment", "ds": "DaemonSet", "ep": "Endpoints",
	"hpa": "HorizontalPodAutoscaler", "ing": "Ingress", "netpol": "NetworkPolicy", "no": "Node", "ns": "Namespace", "pdb": "PodDisruptionBudget",
	"po": "Pod", "pv": "PersistentVolume", "pvc": "PersistentVolumeClaim", "quota": "ResourceQuota", "rc": "ReplicationController",
	"rs": "ReplicaSet", "sa": "ServiceAccount", "sc": "StorageClass", "sts": "StatefulSet", "svc": "Service",
}
