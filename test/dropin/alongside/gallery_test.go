package alongside_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/command/gallery"
	"kstatus.dev/test/lib/apply"
)

// maxParallel is the number of parallel situations. They mostly wait.
const maxParallel = 12

// In each situation of the gallery, the last status and message of each object are those of the
// original.
func TestSituationsOfTheGallery(t *testing.T) {
	c := live.Cluster(t)
	words := gallery.Webhooks(t)
	c.Apply(t, "default", gallery.GPUNode)
	all, err := gallery.All("../../command/gallery/testdata")
	if err != nil || len(all) < 50 {
		t.Fatalf("%d situations, %v", len(all), err)
	}
	room := make(chan struct{}, maxParallel)
	var running sync.WaitGroup
	for i := range all {
		s := &all[i]
		running.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			t.Run(s.Family+"/"+s.Name, func(t *testing.T) { compareSituation(t, s, words) })
		})
	}
	running.Wait()
}

// compareSituation plays a situation, and then watches its objects with both.
func compareSituation(t *testing.T, s *gallery.Situation, words map[string]string) {
	c := live.Cluster(t)
	p := gallery.NewTestPlayer(t, c.Config(), "dropin-"+s.Name, words)
	if err := p.Play(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	targets := targetsOf(t, s, p)
	if len(targets) == 0 {
		return // the situation is that nothing exists
	}
	b := watchBoth(t, c.Config(), targets)
	until(t, "both are synchronized", func() bool { return b.original.Synced() && b.dropin.Synced() })
	var differences string
	var since time.Time
	until(t, "both have sent the same, for two seconds", func() bool {
		last := differences
		differences = b.differences(targets)
		if differences != "" || last != "" || since.IsZero() {
			since = time.Now()
		}
		return differences == "" && time.Since(since) > 2*time.Second
	}, func() string { return differences })
	sent := 0
	for _, target := range targets {
		if b.original.Last(target.Name) != "" {
			sent++
		}
	}
	t.Logf("the same status of %d of %d objects", sent, len(targets))
	if sent == 0 {
		t.Error("no status of any object")
	}
}

// differences lists the objects about which both have sent something different.
func (b both) differences(targets []observe.Target) string {
	var all []string
	for _, target := range targets {
		if have, want := b.dropin.Last(target.Name), b.original.Last(target.Name); have != want {
			all = append(all, fmt.Sprintf("%s: dropin sends %q, want as the original %q", target, have, want))
		}
	}
	return strings.Join(all, "\n")
}

// targetsOf returns the objects that a situation applies. Both watchers record objects by their names.
func targetsOf(t *testing.T, s *gallery.Situation, p *gallery.Player) (targets []observe.Target) {
	t.Helper()
	names := map[string]bool{}
	for _, step := range s.Steps {
		if step.Verb != "apply" {
			continue
		}
		text, err := s.File(step.Args)
		if err != nil {
			t.Fatal(err)
		}
		objects, err := apply.Parse([]byte(p.Expand(text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objects {
			if names[o.GetName()] || o.GetName() == "" {
				continue
			}
			names[o.GetName()] = true
			target := observe.Target{Kind: status.Kind{Group: o.GroupVersionKind().Group, Kind: o.GetKind()}, Namespace: p.Namespace, Name: o.GetName()}
			switch target.Kind.Kind {
			case "Namespace", "Node", "CustomResourceDefinition", "PersistentVolume", "StorageClass", "ClusterRole", "ClusterRoleBinding",
				"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "APIService", "PriorityClass", "IngressClass", "DeviceClass", "ResourceSlice", "CSIDriver":
				target.Namespace = ""
			}
			targets = append(targets, target)
		}
	}
	return targets
}
