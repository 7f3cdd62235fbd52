package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kstatus.dev/explain/internal/controllers"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// heldByFinalizers tells what the deletion of an object waits for: each of its
// finalizers, who removes that, whether that controller is known to run, and what
// is known to be in the way.
func heldByFinalizers(n *node) (all []found) {
	list := n.Texts("metadata.finalizers")
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
		kind: "FinalizerPending", text: controllers.FinalizerNamed(finalizer).String(),
		evidence: []Evidence{n.evidence("metadata.finalizers"), n.evidence("metadata.deletionTimestamp")},
	}
	switch finalizer {
	case "foregroundDeletion", "orphan":
		return n.heldByDependents(f)
	case "kubernetes.io/pvc-protection":
		return n.usedByPods(f)
	case "kubernetes.io/pv-protection":
		if n.Text("status.phase") == "Bound" && n.Has("spec.claimRef.name") {
			f.kind = "InUse"
			f.text += "; bound to " + n.Text("spec.claimRef.namespace") + "/" + n.Text("spec.claimRef.name")
			f.evidence = append(f.evidence, n.evidence("status.phase"), n.evidence("spec.claimRef.namespace"), n.evidence("spec.claimRef.name"))
		}
		return f
	}
	domain := n.finalizerDomain(finalizer)
	f.next = []string{n.ID.kubectl("describe", n.ID.typed()+"/"+n.ID.Name)}
	if id, ok := n.controllerOf(domain); ok {
		f.next = append(f.next, id.kubectl("get", id.typed()+"/"+id.Name))
	}
	f.echo = controllers.FinalizerNamed(finalizer).Until != "" && n.othersEnd()
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
	for w := range n.Each("metadata.managedFields") {
		list, _ := w.Get("fieldsV1.f:metadata.f:finalizers").(map[string]any)
		if _, is := list["v:"+strconv.Quote(finalizer)]; is && w.Text("manager") != "" {
			by = w.evidence("manager")
			by.Value = show.Line(w.Text("manager") + ", which has set " + finalizer)
			return by, true
		}
	}
	return by, false
}

// obstacle adds what the controller says of its work on a deletion: the first
// condition that is not True and speaks of it, or the latest warning.
func (n *node) obstacle(f found) found {
	for c := range n.Each("status.conditions") {
		if c.Text("status") == "False" && speaksOfDeletion(c.Text("type")+c.Text("reason")+c.Text("message")) {
			f.text += ": " + c.says()
			f.evidence = append(f.evidence, c.conditionEvidence()...)
			return f
		}
	}
	for c := range n.Each("status.conditions") {
		if c.Text("status") == "False" && c.Text("message") != "" {
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
		for ref := range p.Each("metadata.ownerReferences") {
			if n.uid != "" && ref.Text("uid") == n.uid && (ref.Is("blockOwnerDeletion") || p.Has("metadata.deletionTimestamp")) {
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
		for v := range p.Each("spec.volumes") {
			if v.Text("persistentVolumeClaim.claimName") != n.ID.Name || p.Text("spec.nodeName") == "" {
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
	if len(n.Texts("metadata.finalizers")) > 0 {
		return nil
	}
	at := n.Text("metadata.deletionTimestamp")
	over := n.scene.age(at)
	f := found{
		kind: "GracePeriod", text: "its grace period lasts until " + at,
		evidence: []Evidence{n.evidence("metadata.deletionTimestamp"), n.evidence("metadata.deletionGracePeriodSeconds")},
	}
	for c := range n.containers() {
		if c.Has("state.running") {
			f.evidence = append(f.evidence, c.evidence("state.running.startedAt"))
			break
		}
	}
	if over <= 30*time.Second {
		return []found{f}
	}
	f.kind, f.echo = "KubeletSilent", true
	f.text = "its grace period has been over since " + at + ", and nobody has told that its containers have ended"
	if name := n.Text("spec.nodeName"); name != "" {
		f.text = "its grace period has been over since " + at + ", and the kubelet of " + show.Line(name) + " has not told that its containers have ended"
		f.evidence = append(f.evidence, n.evidence("spec.nodeName"))
		f.next = []string{n.everywhere("describe node " + show.Line(name))}
	}
	return []found{f}
}

// endingRefs are what the deletion of an object may hang on: who removes its
// finalizers, the node of a Pod, the APIs that a namespace is emptied by, and
// what it refers to, as far as that is being deleted as well.
func (n *node) endingRefs() []Ref {
	var all []Ref
	for _, finalizer := range n.Texts("metadata.finalizers") {
		if id, ok := n.controllerOf(n.finalizerDomain(finalizer)); ok {
			all = append(all, Ref{ID: id, Optional: true, stays: true})
		}
	}
	switch n.ID.GroupKind() {
	case pod:
		if name := n.Text("spec.nodeName"); name != "" {
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
		return []List{n.list(status.Kind{Group: n.Text("spec.group"), Kind: n.Text("spec.names.kind")}, "", nil)}
	}
	return nil
}
