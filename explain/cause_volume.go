package explain

import (
	"cmp"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// What kubelets say of a volume that cannot be mounted, besides what is missing.
var mountErrors = messages.Errors{
	{[]string{"not found in the list of registered csi drivers"}, "its CSI driver does not run on the node"},
	{[]string{"access denied by server", "permission denied"}, "access is denied"},
	{[]string{"wrong fs type", "bad superblock"}, "its file system cannot be read"},
	{[]string{"no space left on device"}, "no space is left"},
	{[]string{"already mounted", "device is busy", "volume is in use"}, "it is in use"},
	{[]string{"hostpath type check failed"}, "its path on the node is missing or of another type"},
	{[]string{"timed out waiting for the condition", "context deadline exceeded", "timeout expired"}, "no answer in time"},
}

// unmounted tells which volume of a Pod cannot be attached or mounted, as long
// as its kubelet has not come further: it makes the sandbox and pulls images
// only once all volumes are there.
func unmounted(n *node) []found {
	if !n.starting() {
		return nil
	}
	further, _ := n.last("Pulling", "Pulled", "Created", "Started", "FailedCreatePodSandBox", "AddedInterface")
	var vague *found
	for _, e := range n.told("FailedMount", "FailedAttachVolume", "FailedMapVolume") {
		if e.Last.Before(further.Last) || e.Reason == "FailedAttachVolume" && n.attachedSince(e) {
			continue
		}
		f := found{evidence: []Evidence{n.event(e)}, next: []string{n.ID.kubectl("describe", n.ID.slash())}}
		if n.volumeTrouble(&f, e) {
			return []found{f}
		}
		if vague == nil {
			vague = &f
		}
	}
	if vague == nil {
		return nil
	}
	return []found{*vague}
}

// attachedSince reports whether a volume has been attached after that failed.
func (n *node) attachedSince(failed Event) bool {
	for _, e := range n.told("SuccessfulAttachVolume") {
		if e.Last.After(failed.Last) {
			return true
		}
	}
	return false
}

// volumeTrouble tells what an event says of a volume; it is false if that is
// only that some are not there yet.
func (n *node) volumeTrouble(f *found, e Event) bool {
	message := messages.Head(e.Message)
	volume := messages.QuotedAfter(message, `volume "`)
	if ids := missingNamed(n.ID, message); len(ids) > 0 {
		n.notFound(f, ids[0])
		return true
	}
	if key, ok := n.missingKey(message); ok {
		if id := n.source(volume); id.Name != "" {
			n.keyMissing(f, id, key)
			return true
		}
	}
	switch {
	case strings.Contains(message, "Multi-Attach error"):
		f.kind, f.text = "MultiAttach", "volume "+show.Quoted(volume)+" is still attached to another node"
		if users, ok := messages.Between(message+"\n", "already used by pod(s) ", "\n"); ok {
			f.text += ", where Pods use it: " + users
		}
		f.evidence = append(f.evidence, n.claims()...)
		f.next = append(f.next, ID{Cluster: n.ID.Cluster}.kubectl("get", "volumeattachments"))
		return true
	case e.Reason == "FailedAttachVolume":
		f.kind, f.text = "VolumeAttach", "volume "+show.Quoted(volume)+" cannot be attached"
		f.next = append(f.next, ID{Cluster: n.ID.Cluster}.kubectl("get", "volumeattachments"))
	case strings.HasPrefix(message, "Unable to attach or mount volumes"):
		names, _ := messages.Between(message, "unmounted volumes=[", "]")
		f.kind, f.text = "VolumeMount", "its volumes cannot be attached or mounted: "+names
		f.evidence = append(f.evidence, n.claims()...)
		return false
	default:
		f.kind, f.text = "VolumeMount", "volume "+show.Quoted(volume)+" cannot be mounted"
	}
	if say, ok := mountErrors.Find(message); ok {
		f.text += ": " + say
	}
	if say, ok := messages.ConnectionError(message); ok && !strings.Contains(f.text, ": ") {
		f.text += ": " + say
	}
	return true
}

// missingKey returns the key that a message says is not in a Secret or ConfigMap.
func (n *node) missingKey(message string) (key string, ok bool) {
	for _, mark := range [...]string{"references non-existent secret key: ", "configmap references non-existent config key: "} {
		if key := messages.After(message, mark); key != "" {
			key, _, _ = strings.Cut(key, " ")
			return strings.TrimRight(key, ",]"), true
		}
	}
	return "", false
}

// source returns the Secret or ConfigMap that a volume is made from.
func (n *node) source(volume string) ID {
	v := n.Under("spec.volumes[" + volume + "]")
	id := ID{Cluster: n.ID.Cluster, Namespace: n.ID.Namespace}
	if name := v.Text("secret.secretName"); name != "" {
		id.Kind, id.Name = "Secret", name
	} else if name := v.Text("configMap.name"); name != "" {
		id.Kind, id.Name = "ConfigMap", name
	}
	return id
}

// unattached tells why a VolumeAttachment is not there.
func unattached(n *node) []found {
	at, path := "status.attachError", "cannot be attached to"
	if !n.Has(at) {
		at, path = "status.detachError", "cannot be detached from"
	}
	if !n.Has(at) {
		return nil
	}
	volume := cmp.Or(n.Text("spec.source.persistentVolumeName"), n.ID.Name)
	return []found{{
		kind: "VolumeAttach", text: "volume " + show.Quoted(volume) + " " + path + " node " + n.Text("spec.nodeName"),
		evidence: []Evidence{n.evidence(at + ".message"), n.evidence("spec.attacher")},
		next:     []string{n.ID.kubectl("describe", n.ID.slash())},
	}}
}

// What stands between a Pod and its sandbox.
var sandboxErrors = messages.Errors{
	{[]string{"no runtime for", "runtime handler"}, "its node does not have the runtime that its RuntimeClass names"},
	{[]string{"no ip addresses available", "failed to allocate for range", "failed to assign an ip address", "no available ip", "no more ips", "insufficient ips"}, "no address is left for it"},
	{[]string{"cni plugin not initialized", "no networks found", "networkpluginnotready", "cni config uninitialized", "network is not ready"}, "the network of its node is not ready"},
	{[]string{"failed to get sandbox image", "failed to pull image", "pause image"}, "the sandbox image cannot be pulled"},
	{[]string{"failed to setup network", "networkplugin cni failed", "failed to set up sandbox", "error adding pod", "failed (add)"}, "its network cannot be set up"},
	{[]string{"no space left on device"}, "no space is left on its node"},
}

// noSandbox tells why the sandbox of a Pod is not made, as long as nothing in it
// has been started since.
func noSandbox(n *node) []found {
	if !n.starting() {
		return nil
	}
	e, ok := n.last("FailedCreatePodSandBox", "NetworkNotReady", "FailedPrepareDynamicResources", "Pulling", "Pulled", "Created", "Started")
	switch {
	case !ok || e.Reason != "FailedCreatePodSandBox" && e.Reason != "NetworkNotReady" && e.Reason != "FailedPrepareDynamicResources":
		return nil
	case e.Reason == "FailedPrepareDynamicResources":
		return []found{{
			kind: "DevicesNotPrepared", text: "the devices that it claims cannot be prepared on its node",
			evidence: append([]Evidence{n.event(e), n.evidence("spec.nodeName")}, n.asked("devices")...),
			next:     []string{n.ID.kubectl("describe", n.ID.slash()), n.ID.kubectl("get", "resourceclaims")},
		}}
	}
	message := messages.Head(e.Message)
	f := found{kind: "PodSandbox", text: "its sandbox cannot be created", evidence: []Evidence{n.event(e), n.evidence("spec.nodeName")}}
	if say, ok := sandboxErrors.Find(message); ok {
		f.text += ": " + say
	}
	if plugin := messages.QuotedAfter(strings.ReplaceAll(message, `\"`, `"`), `plugin type="`); plugin != "" {
		f.text += " (plugin " + plugin + ")"
	}
	if n.Has("spec.runtimeClassName") {
		f.evidence = append(f.evidence, n.evidence("spec.runtimeClassName"))
	}
	f.next = []string{n.ID.kubectl("describe", n.ID.slash()), ID{Cluster: n.ID.Cluster}.kubectl("describe", "node/"+n.Text("spec.nodeName"))}
	return []found{f}
}

// snapshotRefs are the class of a snapshot and the claim that it is made of.
func snapshotRefs(n *node) (all []Ref) {
	if name := n.Text("spec.volumeSnapshotClassName"); name != "" {
		class := status.Kind{Group: snapshot.Group, Kind: "VolumeSnapshotClass"}
		all = append(all, Ref{Path: "spec.volumeSnapshotClassName", ID: n.refer(class, "", name)})
	}
	if name := n.Text("spec.source.persistentVolumeClaimName"); name != "" {
		all = append(all, Ref{Path: "spec.source.persistentVolumeClaimName", ID: n.refer(claim, n.ID.Namespace, name)})
	}
	if name := n.Text("status.boundVolumeSnapshotContentName"); name != "" {
		content := status.Kind{Group: snapshot.Group, Kind: "VolumeSnapshotContent"}
		all = append(all, Ref{Path: "status.boundVolumeSnapshotContentName", ID: n.refer(content, "", name)})
	}
	return all
}

var snapshot = status.Kind{Group: "snapshot.storage.k8s.io", Kind: "VolumeSnapshot"}
