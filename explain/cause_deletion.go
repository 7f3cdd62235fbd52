package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kstatus.dev/explain/internal/controllers"
	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// heldByFinalizers finds which finalizers block the deletion of an object. For each it
// names the controller that removes it, whether that controller runs, and the known
// obstacles.
func heldByFinalizers(o *object) (all []finding) {
	list := o.Texts("metadata.finalizers")
	slices.Sort(list)
	for i, finalizer := range slices.Compact(list) {
		if i == maxNamed {
			break
		}
		all = append(all, o.heldByFinalizer(finalizer))
	}
	return all
}

func (o *object) heldByFinalizer(finalizer string) finding {
	f := finding{
		kind: "FinalizerPending", text: controllers.FinalizerNamed(finalizer).String(),
		evidence: []Evidence{o.evidence("metadata.finalizers"), o.evidence("metadata.deletionTimestamp")},
	}
	switch finalizer {
	case "foregroundDeletion", "orphan":
		return o.heldByDependents(f)
	case "kubernetes.io/pvc-protection":
		return o.usedByPods(f)
	case "kubernetes.io/pv-protection":
		if o.Text("status.phase") == "Bound" && o.Has("spec.claimRef.name") {
			f.kind = "InUse"
			f.text += "; bound to " + o.Text("spec.claimRef.namespace") + "/" + o.Text("spec.claimRef.name")
			f.evidence = append(f.evidence, o.evidence("status.phase"), o.evidence("spec.claimRef.namespace"), o.evidence("spec.claimRef.name"))
		}
		return f
	}
	domain := o.finalizerDomain(finalizer)
	f.next = []string{commandFor(o.ID, "describe", typedSlash(o.ID))}
	if id, ok := o.controllerOf(domain); ok {
		f.next = append(f.next, commandFor(id, "get", typedSlash(id)))
	}
	f.weak = controllers.FinalizerNamed(finalizer).Until != "" && o.hasDeletingDependencies()
	if by, ok := o.finalizerSetBy(finalizer); ok {
		f.evidence = append(f.evidence, by)
	}
	f.evidence = append(f.evidence, o.controllerEvidence(domain)...)
	return o.addDeletionReport(f)
}

// hasDeletingDependencies reports whether objects that must be deleted first are being deleted.
// Those explain the cause better.
func (o *object) hasDeletingDependencies() bool {
	return slices.ContainsFunc(o.children(), (*object).isDeleting) || slices.ContainsFunc(o.references(), func(r objectRef) bool {
		to := o.index.find(r.ID)
		return to != nil && !r.blocksDeletion && to.isDeleting()
	})
}

// finalizerSetBy returns the client that has set a finalizer, from managedFields.
func (o *object) finalizerSetBy(finalizer string) (by Evidence, ok bool) {
	for w := range o.Each("metadata.managedFields") {
		list := w.Under("fieldsV1.f:metadata.f:finalizers")
		if _, is := list.Map["v:"+strconv.Quote(finalizer)]; is && w.Text("manager") != "" {
			by = w.evidence("manager")
			by.Value = show.Line(w.Text("manager") + " (set " + finalizer + ")")
			return by, true
		}
	}
	return by, false
}

// addDeletionReport adds what the controller reports about a deletion: the first condition
// about it that is not True, or the latest warning.
func (o *object) addDeletionReport(f finding) finding {
	for c := range o.Each("status.conditions") {
		if c.Text("status") == "False" && mentionsDeletion(c.Text("type")+c.Text("reason")+c.Text("message")) {
			f.text += ": " + c.conditionText()
			f.evidence = append(f.evidence, c.conditionEvidence()...)
			return f
		}
	}
	for c := range o.Each("status.conditions") {
		if c.Text("status") == "False" && c.Text("message") != "" {
			f.evidence = append(f.evidence, c.conditionEvidence()...)
			break
		}
	}
	for _, e := range o.warningEvidence() {
		f.evidence = append(f.evidence, e)
		break
	}
	return f
}

func mentionsDeletion(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc([]string{"delet", "drain", "prune", "terminat", "finaliz", "evict", "detach"}, func(word string) bool {
		return strings.Contains(text, word)
	})
}

// heldByDependents finds which dependents still exist. Dependents that are being deleted
// explain their own deletion.
func (o *object) heldByDependents(f finding) finding {
	f.kind = "DependentsRemaining"
	var left []status.ID
	ending := 0
	for _, p := range o.dependents() {
		left = append(left, p.ID)
		if p.Result.Status == status.TerminatingStatus {
			ending++
		}
	}
	if len(left) == 0 {
		f.next = []string{commandForAll(o.ID, "get", "events", "-A", "--field-selector", kubectl.Word("involvedObject.name=").With(kubectl.Name(o.ID.Name)))}
		return f
	}
	f.evidence = append(f.evidence, o.lookupEvidence(fmt.Sprintf("%s, %d of them being deleted: %s", text.Count(len(left), "dependent"), ending, strings.Join(idTexts(left, o.ID), ", "))))
	f.weak = ending > 0
	return f
}

// dependents returns the known objects that block the foreground deletion of an object.
func (o *object) dependents() (all []*object) {
	for _, p := range o.index.owned[o.uid] {
		for ref := range p.Each("metadata.ownerReferences") {
			if ref.Text("uid") == o.uid && (ref.Is("blockOwnerDeletion") || p.Has("metadata.deletionTimestamp")) {
				all = append(all, p)
				break
			}
		}
	}
	return all
}

// usedByPods explains which Pods use a claim that is being deleted: all Pods with a node,
// even after they have ended.
func (o *object) usedByPods(f finding) finding {
	var users []status.ID
	for _, p := range o.index.objectsIn(o.list(pod, o.ID.Namespace, nil)) {
		for v := range p.Each("spec.volumes") {
			if v.Text("persistentVolumeClaim.claimName") != o.ID.Name || p.Text("spec.nodeName") == "" {
				continue
			}
			if len(users) == 0 {
				f.evidence = append(f.evidence, v.evidence("persistentVolumeClaim.claimName"))
			}
			users = append(users, p.ID)
			break
		}
	}
	if len(users) > 0 {
		f.kind = "InUse"
		f.text += "; used by " + strings.Join(idTexts(users, o.ID), ", ")
		f.next = []string{commandFor(users[0], "describe", slash(users[0]))}
	}
	return f
}

// podHeld finds why a deleted Pod without finalizers still exists. Either its grace period has not
// ended, or its kubelet has not reported that the containers have ended.
func podHeld(o *object) []finding {
	if len(o.Texts("metadata.finalizers")) > 0 {
		return nil
	}
	at := o.Text("metadata.deletionTimestamp")
	over := o.index.age(at)
	f := finding{
		kind: "GracePeriod", text: "its grace period lasts until " + at,
		evidence: []Evidence{o.evidence("metadata.deletionTimestamp"), o.evidence("metadata.deletionGracePeriodSeconds")},
	}
	for c := range o.containers() {
		if c.Has("state.running") {
			f.evidence = append(f.evidence, c.evidence("state.running.startedAt"))
			break
		}
	}
	if over <= 30*time.Second {
		o.addPreStopHooks(&f)
		return []finding{f}
	}
	f.kind, f.weak = "KubeletSilent", true
	f.text = "its grace period has been over since " + at + ", and its kubelet has not reported that its containers have stopped"
	if name := o.Text("spec.nodeName"); name != "" {
		f.text = "its grace period has been over since " + at + ", and the kubelet of " + show.Line(name) + " has not reported that its containers have stopped"
		f.evidence = append(f.evidence, o.evidence("spec.nodeName"))
		f.next = []string{commandForAll(o.ID, "describe", "node", kubectl.Name(name))}
	}
	return []finding{f}
}

// addPreStopHooks adds the preStop hooks of the running containers of a Pod. The kubelet waits for
// them, up to the end of the grace period.
func (o *object) addPreStopHooks(f *finding) {
	for c := range o.containers() {
		const hook = "lifecycle.preStop"
		action := podspec.Action(c.spec.Under(hook).Section)
		if action == "" || !c.Has("state.running") {
			continue
		}
		f.text += "; the preStop hook of " + c.title() + ": " + action
		f.evidence = append(f.evidence, c.spec.evidenceAs(hook, action))
		for _, e := range c.events("FailedPreStopHook") {
			f.text += ", which fails"
			f.evidence = append(f.evidence, o.eventEvidence(e))
			break
		}
	}
}

// deletionRefs returns the objects that may block the deletion of an object. They are the
// controllers of its finalizers, the node of a Pod, and the APIs that a namespace needs. Objects
// that it refers to are included if they are being deleted too.
func (o *object) deletionRefs() []objectRef {
	var all []objectRef
	for _, finalizer := range o.Texts("metadata.finalizers") {
		if id, ok := o.controllerOf(o.finalizerDomain(finalizer)); ok {
			all = append(all, objectRef{ID: id, Optional: true, blocksDeletion: true})
		}
	}
	switch o.ID.Kind {
	case pod:
		if name := o.Text("spec.nodeName"); name != "" {
			all = append(all, objectRef{Path: "spec.nodeName", ID: o.refer(nodeKind, "", name), blocksDeletion: true})
		}
	case namespace:
		all = append(all, o.undiscoverableAPIs()...)
	default:
		for _, r := range o.fieldRefs() {
			r.Optional = true
			all = append(all, r)
		}
	}
	for _, r := range statementRefs(o) {
		r.blocksDeletion = true
		all = append(all, r)
	}
	return all
}

// deletionLists returns lists of objects that may block the deletion of an object. They are Pods
// that may use a claim, the contents of a namespace, or the objects of a definition.
func deletionLists(o *object) (all []List) {
	switch o.ID.Kind {
	case claim:
		return []List{o.list(pod, o.ID.Namespace, nil)}
	case namespace:
		for _, r := range o.remaining() {
			all = append(all, List{Cluster: o.ID.Cluster, Group: r.group, Resource: r.resource, Namespace: o.ID.Name})
		}
		if len(all) == 0 { // its conditions do not count Pods that are still ending
			all = append(all, o.list(pod, o.ID.Name, nil))
		}
		return all
	case crd:
		return []List{o.list(status.Kind{Group: o.Text("spec.group"), Kind: o.Text("spec.names.kind")}, "", nil)}
	}
	return nil
}
