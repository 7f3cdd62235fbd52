package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// heldByFinalizers tells what the deletion of an object waits for: each of its
// finalizers, who removes that, whether that controller is known to run, and what
// is known to be in the way.
func heldByFinalizers(n *node) (all []found) {
	list := n.texts("metadata.finalizers")
	slices.Sort(list)
	for i, finalizer := range slices.Compact(list) {
		if i == mostNamed {
			break
		}
		all = append(all, n.heldBy(finalizer))
	}
	return all
}

func (n *node) heldBy(finalizer string) found {
	f := found{
		kind: "FinalizerPending", text: holderOf(finalizer).waits(),
		evidence: []Evidence{n.fields.evidence("metadata.finalizers"), n.fields.evidence("metadata.deletionTimestamp")},
	}
	switch finalizer {
	case "foregroundDeletion", "orphan":
		return n.heldByDependents(f)
	case "kubernetes.io/pvc-protection":
		return n.usedByPods(f)
	case "kubernetes.io/pv-protection":
		if n.text("status.phase") == "Bound" && n.has("spec.claimRef.name") {
			f.kind = "InUse"
			f.text += "; bound to " + n.text("spec.claimRef.namespace") + "/" + n.text("spec.claimRef.name")
			f.evidence = append(f.evidence, n.fields.evidence("status.phase"), n.fields.evidence("spec.claimRef.namespace"), n.fields.evidence("spec.claimRef.name"))
		}
		return f
	}
	domain := n.finalizerDomain(finalizer)
	f.next = []string{n.ID.kubectl("describe", n.ID.typed()+"/"+n.ID.Name)}
	if id, ok := n.controllerOf(domain); ok {
		f.next = append(f.next, id.kubectl("get", id.typed()+"/"+id.Name))
	}
	f.echo = holderOf(finalizer).until != "" && n.othersEnd()
	if by, ok := n.setBy(finalizer); ok {
		f.evidence = append(f.evidence, by)
	}
	f.evidence = append(f.evidence, n.alive(domain)...)
	return n.obstacle(f)
}

// othersEnd reports whether objects that are to go first are being deleted: they
// tell better what is waited for.
func (n *node) othersEnd() bool {
	return slices.ContainsFunc(n.beneath(), (*node).ending) || slices.ContainsFunc(n.references(), func(r Ref) bool {
		to := n.scene.find(r.ID)
		return to != nil && !r.stays && to.ending()
	})
}

// setBy tells who has set a finalizer, as the API server has recorded it.
func (n *node) setBy(finalizer string) (by Evidence, ok bool) {
	for w := range n.each("metadata.managedFields") {
		list, _ := w.get("fieldsV1.f:metadata.f:finalizers").(map[string]any)
		if _, is := list["v:"+strconv.Quote(finalizer)]; is && w.text("manager") != "" {
			by = w.evidence("manager")
			by.Value = bounded(w.text("manager") + ", which has set " + finalizer)
			return by, true
		}
	}
	return by, false
}

// obstacle adds what the controller says of its work on a deletion: the first
// condition that is not True and speaks of it, or the latest warning.
func (n *node) obstacle(f found) found {
	for c := range n.each("status.conditions") {
		if c.text("status") == "False" && speaksOfDeletion(c.text("type")+c.text("reason")+c.text("message")) {
			f.text += ": " + c.says()
			f.evidence = append(f.evidence, c.conditionEvidence()...)
			return f
		}
	}
	for c := range n.each("status.conditions") {
		if c.text("status") == "False" && c.text("message") != "" {
			f.evidence = append(f.evidence, c.conditionEvidence()...)
			break
		}
	}
	for _, e := range n.warnings() {
		f.evidence = append(f.evidence, e)
		break
	}
	return f
}

func speaksOfDeletion(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc([]string{"delet", "drain", "prune", "terminat", "finaliz", "evict", "detach"}, func(word string) bool {
		return strings.Contains(text, word)
	})
}

// heldByDependents tells which dependents are still there. Where they are being
// deleted themselves, they tell what they wait for.
func (n *node) heldByDependents(f found) found {
	f.kind = "DependentsRemaining"
	var left []ID
	ending := 0
	for _, p := range n.dependents() {
		left = append(left, p.ID)
		if p.Result.Status == status.TerminatingStatus {
			ending++
		}
	}
	if len(left) == 0 {
		f.next = []string{n.everywhere("get events -A --field-selector involvedObject.name=" + n.ID.Name)}
		return f
	}
	f.evidence = append(f.evidence, n.lookup(fmt.Sprintf("%s, %d of them being deleted: %s", text.Count(len(left), "dependent"), ending, strings.Join(names(left), ", "))))
	f.echo = ending > 0
	return f
}

// dependents returns the known objects that are to be gone before an object that
// is deleted in the foreground.
func (n *node) dependents() (all []*node) {
	for _, p := range n.scene.all {
		for ref := range p.each("metadata.ownerReferences") {
			if n.uid != "" && ref.text("uid") == n.uid && (ref.is("blockOwnerDeletion") || p.has("metadata.deletionTimestamp")) {
				all = append(all, p)
				break
			}
		}
	}
	return all
}

// usedByPods tells which Pods use a claim that is being deleted: all that have a
// node, those that have ended as well.
func (n *node) usedByPods(f found) found {
	var users []ID
	for _, p := range n.scene.among(n.list(pod, n.ID.Namespace, nil)) {
		for v := range p.each("spec.volumes") {
			if v.text("persistentVolumeClaim.claimName") != n.ID.Name || p.text("spec.nodeName") == "" {
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
		f.text += "; used by " + strings.Join(names(users), ", ")
		f.next = []string{users[0].kubectl("describe", users[0].slash())}
	}
	return f
}

// podHeld tells of a Pod that has no finalizers why it is still there: its grace
// period is not over, or its kubelet has not told that its containers have ended.
func podHeld(n *node) []found {
	if len(n.texts("metadata.finalizers")) > 0 {
		return nil
	}
	at := n.text("metadata.deletionTimestamp")
	over := n.scene.age(at)
	f := found{
		kind: "GracePeriod", text: "its grace period lasts until " + at,
		evidence: []Evidence{n.fields.evidence("metadata.deletionTimestamp"), n.fields.evidence("metadata.deletionGracePeriodSeconds")},
	}
	for c := range n.containers() {
		if c.has("state.running") {
			f.evidence = append(f.evidence, c.evidence("state.running.startedAt"))
			break
		}
	}
	if over <= 30*time.Second {
		return []found{f}
	}
	f.kind, f.echo = "KubeletSilent", true
	f.text = "its grace period has been over since " + at + ", and nobody has told that its containers have ended"
	if name := n.text("spec.nodeName"); name != "" {
		f.text = "its grace period has been over since " + at + ", and the kubelet of " + bounded(name) + " has not told that its containers have ended"
		f.evidence = append(f.evidence, n.fields.evidence("spec.nodeName"))
		f.next = []string{n.everywhere("describe node " + bounded(name))}
	}
	return []found{f}
}

// endingRefs are what the deletion of an object may hang on: who removes its
// finalizers, the node of a Pod, the APIs that a namespace is emptied by, and
// what it refers to, as far as that is being deleted as well.
func (n *node) endingRefs() []Ref {
	var all []Ref
	for _, finalizer := range n.texts("metadata.finalizers") {
		if id, ok := n.controllerOf(n.finalizerDomain(finalizer)); ok {
			all = append(all, Ref{ID: id, Optional: true, stays: true})
		}
	}
	switch n.ID.GroupKind() {
	case pod:
		if name := n.text("spec.nodeName"); name != "" {
			all = append(all, Ref{Path: "spec.nodeName", ID: n.refer(nodeKind, "", name), stays: true})
		}
	case namespace:
		all = append(all, n.undiscovered()...)
	default:
		for _, r := range n.usualRefs() {
			r.Optional = true
			all = append(all, r)
		}
	}
	for _, r := range saidRefs(n) {
		r.stays = true
		all = append(all, r)
	}
	return all
}

// endingLists are what may hold an object that is being deleted: the Pods that
// may use a claim, what is left in a namespace, the objects of a definition.
func endingLists(n *node) (all []List) {
	switch n.ID.GroupKind() {
	case claim:
		return []List{n.list(pod, n.ID.Namespace, nil)}
	case namespace:
		for _, r := range n.remaining() {
			all = append(all, List{Cluster: n.ID.Cluster, Group: r.group, Resource: r.resource, Namespace: n.ID.Name})
		}
		return all
	case crd:
		return []List{n.list(status.Kind{Group: n.text("spec.group"), Kind: n.text("spec.names.kind")}, "", nil)}
	}
	return nil
}
