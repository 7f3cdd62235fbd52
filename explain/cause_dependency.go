package explain

import (
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/show"
)

// A logHost is a host that a container could not connect to, with the line of its log.
type logHost struct {
	messages.Host
	evidence Evidence
}

// unreachableHosts returns the hosts that the known logs of a Pod report as not reachable.
func (o *object) unreachableHosts() (all []logHost) {
	if len(o.index.logs) == 0 {
		return nil
	}
	for _, list := range podspec.ContainerLists {
		for c := range o.Each(list.Spec) {
			for _, previous := range [...]bool{false, true} {
				log := o.index.logs[LogID{o.ID, c.Text("name"), previous}]
				if log == nil || log.Error != "" {
					continue
				}
				for _, host := range messages.Hosts(log.Lines) {
					e := Evidence{From: OriginLog, Object: o.ID, Log: log.Container, Lines: []string{show.LogLine(host.Line)}}
					all = append(all, logHost{host, e})
				}
			}
		}
	}
	return all
}

// dependencyLists returns the Services of the namespace of a Pod, if its log names a host that it
// cannot connect to.
func dependencyLists(o *object) []List {
	if len(o.unreachableHosts()) == 0 {
		return nil
	}
	return []List{o.list(service, o.ID.Namespace, nil)}
}

// dependencyRefs returns the Services that a container cannot connect to. A host that cannot be
// resolved may be a Service that does not exist.
func (o *object) dependencyRefs() (all []objectRef) {
	for _, host := range o.unreachableHosts() {
		for _, s := range o.index.objectsIn(o.list(service, o.ID.Namespace, nil)) {
			if s.Text("spec.clusterIP") == host.Name {
				all = append(all, objectRef{ID: s.ID, FollowCurrent: true, reportedBy: &host.evidence, isDependency: true})
			}
		}
		namespace, name, ok := host.ServiceOf(o.ID.Namespace)
		id := o.refer(service, namespace, name)
		isHere := namespace == o.ID.Namespace
		if to := o.index.find(id); !ok || !host.Unresolved && to == nil && (isHere || !strings.Contains(host.Name, ".svc")) {
			continue // in this namespace, the list has all Services
		}
		all = append(all, objectRef{ID: id, FollowCurrent: true, Optional: !host.Unresolved, reportedBy: &host.evidence, isDependency: true})
	}
	return all
}

// isDependency reports whether a chain leads from a Pod to a Service that it cannot connect to.
func (l *link) isDependency() bool {
	isPod := false
	for ; l != nil; l = l.below {
		kind := l.object.ID.Kind
		if isPod && kind == service {
			return true
		}
		isPod = kind == pod
	}
	return false
}
