package snapshot

import (
	"bytes"
	"context"
	"maps"
	"runtime"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// CountPods makes the Pods in the files count for workloads that are not Current, by the rules for
// Pods of a cluster. So do the Events that the creation of Pods fails. With ownText, messages do not repeat those of the Pods. It decodes documents
// with Pods or workloads once more, and keeps only what may count.
func (s *Files) CountPods(ctx context.Context, ownText bool) error {
	counts := func(p manifest.Document) bool {
		return p.Items != nil || containsAny(p.Text, append([]string{"Pod"}, creationReasons...))
	}
	if !slices.ContainsFunc(s.Documents, counts) {
		return nil
	}
	all := podEvents{objects: map[observe.Target]*unstructured.Unstructured{}, parts: map[observe.Target][]observe.Event{}}
	var among []*unstructured.Unstructured
	for some := range manifest.InOrder(s.Documents, runtime.GOMAXPROCS(0), s.mayCount) {
		maps.Copy(all.objects, some.workloads)
		among = append(among, some.others...)
	}
	kubesource.PartsAmong(all.objects, among, s.judge.Evaluator, func(e observe.Event) { all.parts[e.Of] = append(all.parts[e.Of], e) })
	updates, err := all.updates(ctx, s.judge.Evaluator)
	if err != nil {
		return err
	}
	s.ownText, s.withPods = ownText, map[status.ID]observe.Update{}
	for t, u := range updates {
		s.withPods[output.IDOf(all.objects[t].Object)] = u
	}
	return ctx.Err()
}

// A counted holds the objects of a document on which the verdicts with Pods depend.
type counted struct {
	workloads map[observe.Target]*unstructured.Unstructured // that are not Current
	others    []*unstructured.Unstructured                  // Pods that are not ready, Events about creations, and the metadata of ReplicaSets
}

// mayCount returns the objects of a document that may count. It changes neither the document nor
// its objects.
func (s *Files) mayCount(p *manifest.Document) (some counted) {
	if p.Items == nil && !containsAny(p.Text, workloadWords) {
		return some
	}
	for _, it := range p.Objects() {
		if it.Err != nil {
			continue
		}
		id := output.IDOf(it.Content)
		kind := id.Kind
		meta := decoded.Map(it.Content, "metadata")
		switch {
		case kubesource.HasPods(kind):
			if v := s.judge.Verdict(it.Content); mayHavePods(v) {
				if some.workloads == nil {
					some.workloads = map[observe.Target]*unstructured.Unstructured{}
				}
				some.workloads[observe.TargetOf(id)] = &unstructured.Unstructured{Object: it.Content}
			}
		case kind == status.Kind{Kind: "Pod"} && mayBeUnready(it.Content):
			some.others = append(some.others, podCopy(it.Content, meta))
		case kind == status.Kind{Kind: "Event"} && slices.Contains(creationReasons, decoded.Text(it.Content, "reason")):
			some.others = append(some.others, &unstructured.Unstructured{Object: it.Content})
		}
		if kind.Kind == "ReplicaSet" {
			some.others = append(some.others, &unstructured.Unstructured{Object: map[string]any{"apiVersion": it.Content["apiVersion"], "kind": kind.Kind, "metadata": meta}})
		}
	}
	return some
}

// creationReasons are the reasons of Events about the creation of Pods.
var creationReasons = []string{"FailedCreate", "SuccessfulCreate"}

// workloadWords are in the texts of all objects that CountPods needs.
var workloadWords = append([]string{"Pod", "Deployment", "Set", "Job", "ReplicationController"}, creationReasons...)

// containsAny reports whether a text contains one of the words.
func containsAny(text []byte, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// mayBeUnready reports whether a Pod has not succeeded and is not ready.
func mayBeUnready(pod map[string]any) bool {
	return decoded.At(pod, "status", "phase") != "Succeeded" && !condition.Is(pod, "Ready", condition.True)
}

// podCopy returns a Pod that may be trimmed, without the parts that trimming changes.
func podCopy(pod, meta map[string]any) *unstructured.Unstructured {
	pod, meta = maps.Clone(pod), maps.Clone(meta)
	delete(meta, "managedFields")
	delete(meta, "annotations")
	pod["metadata"] = meta
	return &unstructured.Unstructured{Object: pod}
}
