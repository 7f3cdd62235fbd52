package explain

import (
	"cmp"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// unboundClaim finds why a claim has no volume, from its latest events and its
// StorageClass.
func unboundClaim(o *object) []finding {
	switch o.Text("status.phase") {
	case "Lost":
		return []finding{o.lostVolume()}
	case "Bound":
		return o.volumeResizeFailed()
	case "Pending":
	default:
		return nil
	}
	e, ok := o.lastEvent("ProvisioningFailed", "FailedBinding", "VolumeMismatch", "ExternalProvisioning", "Provisioning", "WaitForFirstConsumer", "WaitForPodScheduled")
	if !ok {
		return o.volumeTaken()
	}
	if failed, ok := o.lastEvent("ProvisioningFailed"); ok && strings.HasSuffix(e.Reason, "Provisioning") && !strings.Contains(messages.Head(failed.Message), "storageclass.storage.k8s.io") {
		e = failed // the provisioner retries with longer and longer pauses; ExternalProvisioning is repeated all the time
	}
	f := finding{evidence: []Evidence{o.eventEvidence(e)}, next: []string{commandFor(o.ID, "describe", slash(o.ID))}}
	message := messages.Head(e.Message)
	switch e.Reason {
	case "ProvisioningFailed":
		o.provisioningFailed(&f, message)
	case "FailedBinding", "VolumeMismatch":
		o.failedBinding(&f, message)
	case "ExternalProvisioning", "Provisioning":
		o.provisioning(&f)
	default:
		if o.consumer() != nil {
			return nil // the Pod explains why it is not scheduled
		}
		o.waitsForConsumer(&f, message)
	}
	return []finding{f}
}

// consumer returns the Pod that must be scheduled before a claim is bound, or nil if the
// facts do not have it.
func (o *object) consumer() *object {
	for _, ref := range claimRefs(o) {
		if to := o.index.find(ref.ID); ref.ID.Kind.Kind == "Pod" && to != nil && to.Object != nil {
			return to
		}
	}
	return nil
}

// class returns the name of the StorageClass of a claim.
func (o *object) class() string {
	return cmp.Or(o.Text("spec.storageClassName"), o.Text("metadata.annotations[volume.beta.kubernetes.io/storage-class]"))
}

func (o *object) classID(name string) status.ID {
	return o.refer(status.Kind{Group: "storage.k8s.io", Kind: "StorageClass"}, "", name)
}

// claimRefs returns the StorageClass, the volume and the data source of an unbound claim, and the
// Pod that must be scheduled first.
func claimRefs(o *object) (all []objectRef) {
	switch o.Text("status.phase") {
	case "Pending":
	case "Lost":
		return []objectRef{{Path: "spec.volumeName", ID: o.refer(volume, "", o.Text("spec.volumeName")), Optional: true}}
	default:
		return nil
	}
	for _, path := range [...]string{"spec.dataSourceRef", "spec.dataSource"} {
		if r, ok := o.reference(path); ok {
			all = append(all, r)
		}
	}
	if name := o.Text("spec.volumeName"); name != "" {
		all = append(all, objectRef{Path: "spec.volumeName", ID: o.refer(volume, "", name)})
	} else if name := o.class(); name != "" {
		path := "spec.storageClassName"
		if !o.Has(path) {
			path = "metadata.annotations[volume.beta.kubernetes.io/storage-class]"
		}
		all = append(all, objectRef{Path: path, ID: o.classID(name)})
	}
	if e, ok := o.lastEvent("WaitForPodScheduled"); ok {
		if name, ok := messages.Between(messages.Head(e.Message), "waiting for pod ", " to be scheduled"); ok {
			id := o.refer(pod, o.ID.Namespace, name)
			all = append(all, objectRef{Path: "status.phase", ID: id, Optional: true})
		}
	}
	return all
}

func (o *object) provisioningFailed(f *finding, message string) {
	if name := messages.QuotedAfter(message, `storageclass.storage.k8s.io "`); name != "" && strings.Contains(message, "not found") {
		o.classMissing(f, name)
		return
	}
	if strings.Contains(message, "no volume plugin matched name: kubernetes.io/no-provisioner") {
		f.kind, f.text = "NoVolumeFits", "no PersistentVolume of StorageClass "+show.Line(o.class())+" fits, and the class has no provisioner"
		f.evidence = append(append(f.evidence, o.evidence("spec.storageClassName")), o.claimRequirements()...)
		o.addUnfitVolumes(f)
		f.next = []string{commandForAll(o.ID, "get", "persistentvolumes")}
		return
	}
	f.kind, f.text = "ProvisioningFailed", "its volume cannot be provisioned"
	if say, ok := provisionErrors.Find(message); ok {
		f.text += ": " + say
	} else if say, ok := messages.ConnectionError(message); ok {
		f.text += ": " + say
	}
	if name := cmp.Or(o.Text("spec.dataSourceRef.name"), o.Text("spec.dataSource.name")); messages.HasName(message, name) {
		f.weak = true // the data source explains it better
	}
	f.evidence = append(f.evidence, o.volumeMaker()...)
	f.evidence = append(f.evidence, o.evidence("spec.storageClassName"))
}

// The errors of provisioners that cannot create a volume.
var provisionErrors = messages.Errors{
	{[]string{"resourceexhausted", "quota exceeded", "quota_exceeded", "volumelimitexceeded", "insufficient capacity", "no space left", "not enough"}, "the storage has too little capacity"},
	{[]string{"unauthorized", "accessdenied", "permissiondenied", "permission denied", "forbidden"}, "access is denied to its provisioner"},
	{[]string{"invalidargument", "invalid parameter", "invalidparameter", "unknown parameter"}, "its size or a parameter of its StorageClass is not valid"},
	{[]string{"failed to get secret", "error getting secret", "secrets \""}, "the Secret of its StorageClass cannot be read"},
	{[]string{"no topology key found", "no available topology", "error generating accessibility requirements"}, "no topology for it is known"},
}

func (o *object) classMissing(f *finding, name string) {
	id := o.classID(name)
	f.kind, f.text, f.next = "ReferenceMissing", kindAndName(id)+" not found", []string{commandForAll(o.ID, "get", "storageclasses")}
	f.evidence = append(f.evidence, o.evidence("spec.storageClassName"))
	o.addLookup(f, id)
}

// failedBinding explains why no existing volume can be bound.
func (o *object) failedBinding(f *finding, message string) {
	f.evidence = append(f.evidence, o.evidence("spec.storageClassName"))
	switch {
	case strings.Contains(message, "no storage class is set") && !o.Has("spec.storageClassName"):
		f.kind, f.text = "NoDefaultStorageClass", "it names no StorageClass, no StorageClass is the default, and no available PersistentVolume fits"
		f.next = []string{commandForAll(o.ID, "get", "storageclasses")}
	case strings.Contains(message, "no storage class is set"):
		f.kind, f.text = "NoVolumeFits", `no available PersistentVolume fits, and storageClassName "" disables provisioning`
		f.evidence = append(f.evidence, o.claimRequirements()...)
		o.addUnfitVolumes(f)
		f.next = []string{commandForAll(o.ID, "get", "persistentvolumes")}
	case strings.Contains(message, "Cannot bind to requested volume"), strings.Contains(message, "already bound to a different claim"), strings.Contains(message, "incompatible volumeMode"):
		f.kind, f.text = "VolumeMismatch", "volume "+show.Quoted(o.Text("spec.volumeName"))+" cannot be bound to it"
		if why := messages.After(message, `": `); why != "" {
			f.text += ": " + why
		} else if strings.Contains(message, "different claim") {
			o.addHolder(f)
		} else if strings.Contains(message, "volumeMode") {
			f.text += ": its volumeMode differs"
		}
		f.evidence = append(f.evidence, o.evidence("spec.volumeName"))
		f.evidence = append(f.evidence, o.claimRequirements()...)
	default:
		f.kind, f.text = "NoVolumeFits", "no volume is bound to it: "+message
		f.evidence = append(f.evidence, o.claimRequirements()...)
	}
}

// claimRequirements returns the fields of a claim that a volume must satisfy, as
// evidence.
func (o *object) claimRequirements() (all []Evidence) {
	for _, path := range [...]string{"spec.resources.requests.storage", "spec.accessModes", "spec.volumeMode", "spec.selector"} {
		if o.Has(path) {
			all = append(all, o.evidence(path))
		}
	}
	return all
}

// volumeMaker returns the provisioner of the volume of a claim, as evidence.
func (o *object) volumeMaker() []Evidence {
	for _, key := range [...]string{"volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner"} {
		if path := "metadata.annotations[" + key + "]"; o.Has(path) {
			return []Evidence{o.evidence(path)}
		}
	}
	return nil
}

// provisioning explains a claim that waits for its provisioner. A provisioner that has
// started reports a Provisioning event.
func (o *object) provisioning(f *finding) {
	who := "its provisioner"
	for _, e := range o.volumeMaker() {
		who = "provisioner " + show.Quoted(e.Value)
		f.evidence = append(f.evidence, e)
	}
	if begun, ok := o.lastEvent("Provisioning"); ok {
		f.kind, f.text = "Provisioning", who+" is provisioning its volume"
		f.evidence = append(f.evidence, o.eventEvidence(begun))
		return
	}
	f.kind, f.text = "ProvisionerSilent", who+" has not provisioned its volume; it may not be running"
	f.next = []string{commandForAll(o.ID, "get", "csidrivers"), commandForAll(o.ID, "get", "pods", "-A")}
}

// waitsForConsumer explains a claim whose volume is created where a Pod that uses it is
// scheduled. If the Pod is known, the Pod has the better explanation.
func (o *object) waitsForConsumer(f *finding, message string) {
	f.kind, f.weak = "WaitForFirstConsumer", true
	f.text = "its volume is bound when a Pod that uses it is scheduled (volumeBindingMode WaitForFirstConsumer)"
	if name, ok := messages.Between(message, "waiting for pod ", " to be scheduled"); ok {
		f.text = "its volume is bound when Pod " + name + " is scheduled"
	}
	f.evidence = append(f.evidence, o.evidence("spec.storageClassName"))
}

func (o *object) lostVolume() finding {
	f := finding{
		kind: "VolumeLost", text: "its volume " + show.Quoted(o.Text("spec.volumeName")) + " no longer exists, and its data is lost",
		evidence: []Evidence{o.evidence("status.phase"), o.evidence("spec.volumeName")},
		next:     []string{commandForAll(o.ID, "get", "persistentvolumes")},
	}
	o.addLookup(&f, o.refer(volume, "", o.Text("spec.volumeName")))
	f.evidence = append(f.evidence, firstEvent(o, "ClaimLost", "ClaimMisbound")...)
	return f
}

// volumeResizeFailed finds why a claim does not get the size or the class in its spec.
func (o *object) volumeResizeFailed() []finding {
	if o.isDone() {
		return nil
	}
	f := finding{kind: "VolumeResizeFailed", text: "its volume cannot be resized to " + o.Text("spec.resources.requests.storage")}
	for _, t := range [...]string{"ControllerResizeError", "NodeResizeError", "ModifyVolumeError"} {
		if c := o.Under("status.conditions[" + t + "]"); c.Text("status") == "True" {
			f.evidence = append(f.evidence, c.evidence("message"))
		}
	}
	f.evidence = append(f.evidence, firstEvent(o, "VolumeResizeFailed", "FileSystemResizeFailed", "VolumeModifyFailed")...)
	if len(f.evidence) == 0 {
		return o.volumeResizing()
	}
	if o.Has("status.modifyVolumeStatus") {
		f.text = "its volume cannot be modified as requested"
	}
	f.evidence = append(f.evidence, o.evidence("spec.resources.requests.storage"), o.evidence("status.capacity.storage"))
	f.next = []string{commandFor(o.ID, "describe", slash(o.ID))}
	return []finding{f}
}

// volumeResizing finds what is left of the resize of a volume.
func (o *object) volumeResizing() []finding {
	if o.Result.Reason != status.ReasonResizing {
		return nil
	}
	f := finding{
		kind: "VolumeResizing", text: "its volume is being resized to " + o.Text("spec.resources.requests.storage"),
		evidence: []Evidence{o.evidence("spec.resources.requests.storage"), o.evidence("status.capacity.storage")},
		next:     []string{commandFor(o.ID, "describe", slash(o.ID))},
	}
	if c := o.Under("status.conditions[FileSystemResizePending]"); c.Text("status") == "True" {
		f.text = "its volume is resized, and its file system grows when a Pod that uses it starts, or on the node of a running one"
		f.evidence = append(f.evidence, c.evidence("status"))
	} else if state := "status.allocatedResourceStatuses.storage"; o.Has(state) {
		f.evidence = append(f.evidence, o.evidence(state))
	}
	return []finding{f}
}

// volumeReclaimFailed finds why a volume could not be reclaimed.
func volumeReclaimFailed(o *object) []finding {
	if o.Text("status.phase") != "Failed" {
		return nil
	}
	f := finding{
		kind: "VolumeReclaimFailed", text: "it cannot be reclaimed after its claim was deleted", evidence: []Evidence{o.evidence("status.phase")},
		next: []string{commandFor(o.ID, "describe", slash(o.ID))},
	}
	if o.Has("status.message") {
		f.evidence = append(f.evidence, o.evidence("status.message"))
	}
	f.evidence = append(f.evidence, o.evidence("spec.persistentVolumeReclaimPolicy"))
	f.evidence = append(f.evidence, firstEvent(o, "VolumeFailedDelete", "VolumeFailedRecycle", "VolumeUnknownReclaimPolicy")...)
	return []finding{f}
}
