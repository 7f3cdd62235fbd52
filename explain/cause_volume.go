package explain

import (
	"cmp"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// The errors of kubelets that cannot mount a volume, except missing objects.
var mountErrors = messages.Errors{
	{[]string{"not found in the list of registered csi drivers"}, "its CSI driver does not run on the node"},
	{[]string{"access denied by server", "permission denied"}, "access is denied"},
	{[]string{"wrong fs type", "bad superblock"}, "its file system cannot be read"},
	{[]string{"no space left on device"}, "no space is left"},
	{[]string{"already mounted", "device is busy", "volume is in use"}, "it is in use"},
	{[]string{"hostpath type check failed"}, "its hostPath is missing or of another type"},
	{[]string{"timed out waiting for the condition", "context deadline exceeded", "timeout expired"}, "the operation timed out"},
}

// volumeNotMounted finds which volume of a Pod cannot be attached or mounted. A kubelet mounts
// all volumes before it creates the sandbox and pulls images, so later progress means
// that it succeeded.
func volumeNotMounted(o *object) []finding {
	if !o.isStarting() {
		return nil
	}
	further, _ := o.lastEvent("Pulling", "Pulled", "Created", "Started", "FailedCreatePodSandBox", "AddedInterface")
	var vague *finding
	for _, e := range o.eventsWith("FailedMount", "FailedAttachVolume", "FailedMapVolume") {
		if e.Last.Before(further.Last) || e.Reason == "FailedAttachVolume" && o.attachedSince(e) {
			continue
		}
		f := finding{evidence: []Evidence{o.eventEvidence(e)}, next: []string{commandFor(o.ID, "describe", slash(o.ID))}}
		if o.volumeTrouble(&f, e) {
			return []finding{f}
		}
		if vague == nil {
			vague = &f
		}
	}
	if vague == nil {
		return nil
	}
	return []finding{*vague}
}

// attachedPods returns the Pods that still use a volume of a Pod on another node, according to an
// event. One that is being deleted may be on a node that does not answer.
func (o *object) attachedPods() (all []objectRef) {
	if !o.isStarting() {
		return nil
	}
	for _, e := range o.eventsWith("FailedAttachVolume") {
		message := messages.Head(e.Message)
		users, ok := messages.Between(message+"\n", "already used by pod(s) ", "\n")
		if !strings.Contains(message, "Multi-Attach error") || !ok {
			continue
		}
		by := o.eventEvidence(e)
		for name := range strings.SplitSeq(users, ", ") {
			all = append(all, objectRef{ID: o.refer(pod, o.ID.Namespace, strings.TrimSpace(name)), Optional: true, reportedBy: &by})
		}
		break
	}
	return all[:min(len(all), maxMentioned)]
}

// attachedSince reports whether a volume was attached after a failure.
func (o *object) attachedSince(failed Event) bool {
	for _, e := range o.eventsWith("SuccessfulAttachVolume") {
		if e.Last.After(failed.Last) {
			return true
		}
	}
	return false
}

// volumeTrouble explains an event about a volume. It returns false if the event only says
// that some volumes are not mounted yet.
func (o *object) volumeTrouble(f *finding, e Event) bool {
	message := messages.Head(e.Message)
	volume := messages.QuotedAfter(message, `volume "`)
	noun := "volume " + show.Quoted(volume)
	if volume == "" {
		noun, f.weak = "a volume", message == ""
	}
	if ids := missingNamed(o.ID, message); len(ids) > 0 {
		o.notFound(f, ids[0])
		return true
	}
	if key, ok := o.missingKey(message); ok {
		if id := o.source(volume); id.Name != "" {
			o.keyMissing(f, id, key)
			return true
		}
	}
	switch {
	case strings.Contains(message, "Multi-Attach error"):
		f.kind, f.text = "MultiAttach", noun+" is still attached to another node"
		if users, ok := messages.Between(message+"\n", "already used by pod(s) ", "\n"); ok {
			f.text += ", where Pods use it: " + users
		}
		f.evidence = append(f.evidence, o.claims()...)
		f.next = append(f.next, commandForAll(o.ID, "get", "volumeattachments"))
		return true
	case e.Reason == "FailedAttachVolume":
		f.kind, f.text = "VolumeAttach", noun+" cannot be attached"
		f.next = append(f.next, commandForAll(o.ID, "get", "volumeattachments"))
	case strings.HasPrefix(message, "Unable to attach or mount volumes"):
		names, _ := messages.Between(message, "unmounted volumes=[", "]")
		f.kind, f.text = "VolumeMount", "its volumes cannot be attached or mounted: "+names
		f.evidence = append(f.evidence, o.claims()...)
		return false
	default:
		f.kind, f.text = "VolumeMount", noun+" cannot be mounted"
	}
	if say, ok := mountErrors.Find(message); ok {
		f.text += ": " + say
	}
	if say, ok := messages.ConnectionError(message); ok && !strings.Contains(f.text, ": ") {
		f.text += ": " + say
	}
	return true
}

// missingKey returns the key that a Secret or ConfigMap lacks, according to a message.
func (o *object) missingKey(message string) (key string, ok bool) {
	for _, mark := range [...]string{"references non-existent secret key: ", "configmap references non-existent config key: "} {
		if key := messages.After(message, mark); key != "" {
			key, _, _ = strings.Cut(key, " ")
			return strings.TrimRight(key, ",]"), true
		}
	}
	return "", false
}

// source returns the Secret or ConfigMap of a volume.
func (o *object) source(volume string) status.ID {
	v := o.Under("spec.volumes[" + volume + "]")
	id := status.ID{Cluster: o.ID.Cluster, Namespace: o.ID.Namespace}
	if name := v.Text("secret.secretName"); name != "" {
		id.Kind.Kind, id.Name = "Secret", name
	} else if name := v.Text("configMap.name"); name != "" {
		id.Kind.Kind, id.Name = "ConfigMap", name
	}
	return id
}

// volumeNotAttached finds why a VolumeAttachment is not attached or not detached.
func volumeNotAttached(o *object) []finding {
	at, path := "status.attachError", "cannot be attached to"
	if !o.Has(at) {
		at, path = "status.detachError", "cannot be detached from"
	}
	if !o.Has(at) {
		return nil
	}
	volume := cmp.Or(o.Text("spec.source.persistentVolumeName"), o.ID.Name)
	return []finding{{
		kind: "VolumeAttach", text: "volume " + show.Quoted(volume) + " " + path + " node " + o.Text("spec.nodeName"),
		evidence: []Evidence{o.evidence(at + ".message"), o.evidence("spec.attacher")},
		next:     []string{commandFor(o.ID, "describe", slash(o.ID))},
	}}
}

// The errors of a failed Pod sandbox.
var sandboxErrors = messages.Errors{
	{[]string{"no runtime for", "runtime handler"}, "its node does not have the runtime that its RuntimeClass names"},
	{[]string{"no ip addresses available", "failed to allocate for range", "failed to assign an ip address", "no available ip", "no more ips", "insufficient ips"}, "no IP address is left"},
	{[]string{"cni plugin not initialized", "no networks found", "networkpluginnotready", "cni config uninitialized", "network is not ready"}, "the network of its node is not ready"},
	{[]string{"failed to get sandbox image", "failed to pull image", "pause image"}, "the sandbox image cannot be pulled"},
	{[]string{"failed to setup network", "networkplugin cni failed", "failed to set up sandbox", "error adding pod", "failed (add)"}, "its network setup fails"},
	{[]string{"no space left on device"}, "no space is left on its node"},
}

// sandboxNotCreated finds why the sandbox of a Pod is not created, unless a container has started
// since the error.
func sandboxNotCreated(o *object) []finding {
	if !o.isStarting() {
		return nil
	}
	e, ok := o.lastEvent("FailedCreatePodSandBox", "NetworkNotReady", "FailedPrepareDynamicResources", "Pulling", "Pulled", "Created", "Started")
	switch {
	case !ok || e.Reason != "FailedCreatePodSandBox" && e.Reason != "NetworkNotReady" && e.Reason != "FailedPrepareDynamicResources":
		return nil
	case e.Reason == "FailedPrepareDynamicResources":
		return []finding{{
			kind: "DevicesNotPrepared", text: "the devices that it claims cannot be prepared on its node",
			evidence: append([]Evidence{o.eventEvidence(e), o.evidence("spec.nodeName")}, o.requirements("devices")...),
			next:     []string{commandFor(o.ID, "describe", slash(o.ID)), commandFor(o.ID, "get", "resourceclaims")},
		}}
	}
	message := messages.Head(e.Message)
	f := finding{kind: "PodSandbox", text: "its sandbox cannot be created", evidence: []Evidence{o.eventEvidence(e), o.evidence("spec.nodeName")}}
	if say, ok := sandboxErrors.Find(message); ok {
		f.text += ": " + say
	}
	if plugin := messages.QuotedAfter(strings.ReplaceAll(message, `\"`, `"`), `plugin type="`); plugin != "" {
		f.text += " (plugin " + plugin + ")"
	}
	if o.Has("spec.runtimeClassName") {
		f.evidence = append(f.evidence, o.evidence("spec.runtimeClassName"))
	}
	f.next = []string{commandFor(o.ID, "describe", slash(o.ID)), commandForAll(o.ID, "describe", nodeWord(o.Text("spec.nodeName")))}
	return []finding{f}
}

// snapshotRefs returns the class of a VolumeSnapshot and the claim that is its source.
func snapshotRefs(o *object) (all []objectRef) {
	if name := o.Text("spec.volumeSnapshotClassName"); name != "" {
		class := status.Kind{Group: snapshot.Group, Kind: "VolumeSnapshotClass"}
		all = append(all, objectRef{Path: "spec.volumeSnapshotClassName", ID: o.refer(class, "", name)})
	}
	if name := o.Text("spec.source.persistentVolumeClaimName"); name != "" {
		all = append(all, objectRef{Path: "spec.source.persistentVolumeClaimName", ID: o.refer(claim, o.ID.Namespace, name)})
	}
	if name := o.Text("status.boundVolumeSnapshotContentName"); name != "" {
		content := status.Kind{Group: snapshot.Group, Kind: "VolumeSnapshotContent"}
		all = append(all, objectRef{Path: "status.boundVolumeSnapshotContentName", ID: o.refer(content, "", name)})
	}
	return all
}

var snapshot = status.Kind{Group: "snapshot.storage.k8s.io", Kind: "VolumeSnapshot"}
