package explain

import (
	"cmp"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
)

// unboundClaim tells why a claim has no volume: what its events say last, and
// what is known of its class.
func unboundClaim(n *node) []found {
	switch n.Text("status.phase") {
	case "Lost":
		return []found{n.lostVolume()}
	case "Bound":
		return n.unresized()
	case "Pending":
	default:
		return nil
	}
	e, ok := n.last("ProvisioningFailed", "FailedBinding", "VolumeMismatch", "ExternalProvisioning", "Provisioning", "WaitForFirstConsumer", "WaitForPodScheduled")
	if !ok {
		return nil
	}
	if failed, ok := n.last("ProvisioningFailed"); ok && strings.HasSuffix(e.Reason, "Provisioning") && !strings.Contains(messages.Head(failed.Message), "storageclass.storage.k8s.io") {
		e = failed // the provisioner tries again, later and later; that it is asked to is told all the time
	}
	f := found{evidence: []Evidence{n.event(e)}, next: []string{n.ID.kubectl("describe", n.ID.slash())}}
	message := messages.Head(e.Message)
	switch e.Reason {
	case "ProvisioningFailed":
		n.provisioningFailed(&f, message)
	case "FailedBinding", "VolumeMismatch":
		n.failedBinding(&f, message)
	case "ExternalProvisioning", "Provisioning":
		n.provisioning(&f)
	default:
		if n.consumer() != nil {
			return nil // which tells why it is not scheduled
		}
		n.waitsForConsumer(&f, message)
	}
	return []found{f}
}

// consumer returns the Pod that is to be scheduled before a claim is bound, if it
// is among the facts.
func (n *node) consumer() *node {
	for _, ref := range claimRefs(n) {
		if to := n.scene.find(ref.ID); ref.ID.Kind == "Pod" && to != nil && to.Object != nil {
			return to
		}
	}
	return nil
}

// class returns the StorageClass that a claim names.
func (n *node) class() string {
	return cmp.Or(n.Text("spec.storageClassName"), n.Text("metadata.annotations[volume.beta.kubernetes.io/storage-class]"))
}

func (n *node) classID(name string) ID {
	return ID{Cluster: n.ID.Cluster, Group: "storage.k8s.io", Kind: "StorageClass", Name: name}
}

// claimRefs are the StorageClass and the volume of a claim that is not bound,
// and the Pod that is to be scheduled first.
func claimRefs(n *node) (all []Ref) {
	switch n.Text("status.phase") {
	case "Pending":
	case "Lost":
		return []Ref{{Path: "spec.volumeName", ID: ID{Cluster: n.ID.Cluster, Kind: "PersistentVolume", Name: n.Text("spec.volumeName")}, Optional: true}}
	default:
		return nil
	}
	if name := n.Text("spec.volumeName"); name != "" {
		all = append(all, Ref{Path: "spec.volumeName", ID: ID{Cluster: n.ID.Cluster, Kind: "PersistentVolume", Name: name}})
	} else if name := n.class(); name != "" {
		path := "spec.storageClassName"
		if !n.Has(path) {
			path = "metadata.annotations[volume.beta.kubernetes.io/storage-class]"
		}
		all = append(all, Ref{Path: path, ID: n.classID(name)})
	}
	if e, ok := n.last("WaitForPodScheduled"); ok {
		if name, ok := messages.Between(messages.Head(e.Message), "waiting for pod ", " to be scheduled"); ok {
			id := ID{Cluster: n.ID.Cluster, Kind: "Pod", Namespace: n.ID.Namespace, Name: name}
			all = append(all, Ref{Path: "status.phase", ID: id, Optional: true})
		}
	}
	return all
}

func (n *node) provisioningFailed(f *found, message string) {
	if name := messages.QuotedAfter(message, `storageclass.storage.k8s.io "`); name != "" && strings.Contains(message, "not found") {
		n.classMissing(f, name)
		return
	}
	if strings.Contains(message, "no volume plugin matched name: kubernetes.io/no-provisioner") {
		f.kind, f.text = "NoVolumeFits", "no available volume of its StorageClass fits, and nobody makes one (provisioner kubernetes.io/no-provisioner)"
		f.evidence = append(append(f.evidence, n.evidence("spec.storageClassName")), n.asksFor()...)
		f.next = []string{ID{Cluster: n.ID.Cluster}.kubectl("get", "persistentvolumes")}
		return
	}
	f.kind, f.text = "ProvisioningFailed", "its volume cannot be made"
	if say, ok := provisionErrors.Find(message); ok {
		f.text += ": " + say
	} else if say, ok := messages.ConnectionError(message); ok {
		f.text += ": " + say
	}
	f.evidence = append(f.evidence, n.madeBy()...)
	f.evidence = append(f.evidence, n.evidence("spec.storageClassName"))
}

// What provisioners say when they cannot make a volume.
var provisionErrors = messages.Errors{
	{[]string{"resourceexhausted", "quota exceeded", "quota_exceeded", "volumelimitexceeded", "insufficient capacity", "no space left", "not enough"}, "there is no room for it"},
	{[]string{"unauthorized", "accessdenied", "permissiondenied", "permission denied", "forbidden"}, "its provisioner is denied access"},
	{[]string{"invalidargument", "invalid parameter", "invalidparameter", "unknown parameter"}, "its class or its size is not accepted"},
	{[]string{"failed to get secret", "error getting secret", "secrets \""}, "the Secret of its class cannot be read"},
	{[]string{"no topology key found", "no available topology", "error generating accessibility requirements"}, "no place for it is known"},
}

func (n *node) classMissing(f *found, name string) {
	id := n.classID(name)
	f.kind, f.text, f.next = "ReferenceMissing", lowerKind(id)+" not found", []string{ID{Cluster: n.ID.Cluster}.kubectl("get", "storageclasses")}
	f.evidence = append(f.evidence, n.evidence("spec.storageClassName"))
	n.lookedUp(f, id)
}

// failedBinding tells why no existing volume is bound.
func (n *node) failedBinding(f *found, message string) {
	f.evidence = append(f.evidence, n.evidence("spec.storageClassName"))
	switch {
	case strings.Contains(message, "no storage class is set") && !n.Has("spec.storageClassName"):
		f.kind, f.text = "NoDefaultStorageClass", "it names no StorageClass, there is no default one, and no volume fits"
		f.next = []string{ID{Cluster: n.ID.Cluster}.kubectl("get", "storageclasses")}
	case strings.Contains(message, "no storage class is set"):
		f.kind, f.text = "NoVolumeFits", `no available volume fits, and none is to be made for it (storageClassName "")`
		f.evidence = append(f.evidence, n.asksFor()...)
		f.next = []string{ID{Cluster: n.ID.Cluster}.kubectl("get", "persistentvolumes")}
	case strings.Contains(message, "Cannot bind to requested volume"), strings.Contains(message, "already bound to a different claim"), strings.Contains(message, "incompatible volumeMode"):
		f.kind, f.text = "VolumeMismatch", "volume "+show.Quoted(n.Text("spec.volumeName"))+" cannot be bound to it"
		if why := messages.After(message, `": `); why != "" {
			f.text += ": " + why
		} else if strings.Contains(message, "different claim") {
			f.text += ": it is bound to another claim"
		} else if strings.Contains(message, "volumeMode") {
			f.text += ": another volumeMode"
		}
		f.evidence = append(f.evidence, n.evidence("spec.volumeName"))
		f.evidence = append(f.evidence, n.asksFor()...)
	default:
		f.kind, f.text = "NoVolumeFits", "no volume is bound to it: "+message
		f.evidence = append(f.evidence, n.asksFor()...)
	}
}

// asksFor is what a claim asks of a volume.
func (n *node) asksFor() (all []Evidence) {
	for _, path := range [...]string{"spec.resources.requests.storage", "spec.accessModes", "spec.volumeMode", "spec.selector"} {
		if n.Has(path) {
			all = append(all, n.evidence(path))
		}
	}
	return all
}

// madeBy names who is to make the volume of a claim.
func (n *node) madeBy() []Evidence {
	for _, key := range [...]string{"volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner"} {
		if path := "metadata.annotations[" + key + "]"; n.Has(path) {
			return []Evidence{n.evidence(path)}
		}
	}
	return nil
}

// provisioning tells of a claim whose volume is asked of a provisioner. One that
// has begun says so in an event of its own.
func (n *node) provisioning(f *found) {
	who := "its provisioner"
	for _, e := range n.madeBy() {
		who = "provisioner " + show.Quoted(e.Value)
		f.evidence = append(f.evidence, e)
	}
	if begun, ok := n.last("Provisioning"); ok {
		f.kind, f.text = "Provisioning", who+" is making its volume"
		f.evidence = append(f.evidence, n.event(begun))
		return
	}
	f.kind, f.text = "ProvisionerSilent", who+" has not begun to make its volume: does it run?"
	f.next = []string{ID{Cluster: n.ID.Cluster}.kubectl("get", "csidrivers"), ID{Cluster: n.ID.Cluster}.kubectl("get", "pods", "-A")}
}

// waitsForConsumer tells of a claim whose volume is made where a Pod that uses it
// is scheduled. The Pod, if one is known, tells better what is wrong.
func (n *node) waitsForConsumer(f *found, message string) {
	f.kind, f.echo = "WaitForFirstConsumer", true
	f.text = "its volume is bound once a Pod that uses it is scheduled, as its StorageClass asks"
	if name, ok := messages.Between(message, "waiting for pod ", " to be scheduled"); ok {
		f.text = "its volume is bound once Pod " + name + " is scheduled"
	}
	f.evidence = append(f.evidence, n.evidence("spec.storageClassName"))
}

func (n *node) lostVolume() found {
	f := found{
		kind: "VolumeLost", text: "its volume " + show.Quoted(n.Text("spec.volumeName")) + " is gone, with the data on it",
		evidence: []Evidence{n.evidence("status.phase"), n.evidence("spec.volumeName")},
		next:     []string{ID{Cluster: n.ID.Cluster}.kubectl("get", "persistentvolumes")},
	}
	n.lookedUp(&f, ID{Cluster: n.ID.Cluster, Kind: "PersistentVolume", Name: n.Text("spec.volumeName")})
	f.evidence = append(f.evidence, firstEvent(n, "ClaimLost", "ClaimMisbound")...)
	return f
}

// unresized tells why a claim does not get the size or the class that it asks for.
func (n *node) unresized() []found {
	if n.done() {
		return nil
	}
	f := found{kind: "VolumeResizeFailed", text: "its volume cannot be resized to " + n.Text("spec.resources.requests.storage")}
	for _, t := range [...]string{"ControllerResizeError", "NodeResizeError", "ModifyVolumeError"} {
		if c := n.Under("status.conditions[" + t + "]"); c.Text("status") == "True" {
			f.evidence = append(f.evidence, c.evidence("message"))
		}
	}
	f.evidence = append(f.evidence, firstEvent(n, "VolumeResizeFailed", "FileSystemResizeFailed", "VolumeModifyFailed")...)
	if len(f.evidence) == 0 {
		return nil
	}
	if n.Has("status.modifyVolumeStatus") {
		f.text = "its volume cannot be changed to what it asks for"
	}
	f.evidence = append(f.evidence, n.evidence("spec.resources.requests.storage"), n.evidence("status.capacity.storage"))
	f.next = []string{n.ID.kubectl("describe", n.ID.slash())}
	return []found{f}
}

// unreclaimed tells why a volume could not be reclaimed.
func unreclaimed(n *node) []found {
	if n.Text("status.phase") != "Failed" {
		return nil
	}
	f := found{
		kind: "VolumeReclaimFailed", text: "its claim is gone, and it cannot be reclaimed", evidence: []Evidence{n.evidence("status.phase")},
		next: []string{n.ID.kubectl("describe", n.ID.slash())},
	}
	if n.Has("status.message") {
		f.evidence = append(f.evidence, n.evidence("status.message"))
	}
	f.evidence = append(f.evidence, n.evidence("spec.persistentVolumeReclaimPolicy"))
	f.evidence = append(f.evidence, firstEvent(n, "VolumeFailedDelete", "VolumeFailedRecycle", "VolumeUnknownReclaimPolicy")...)
	return []found{f}
}
