package matrix

import (
	"strings"
	"testing"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/witness"
)

// defined defines a kind Widget in a group, with a schema of its status.
func defined(group, state string) string {
	return manifest.Definition(group, "Widget", manifest.V1("spec: {type: object, properties: {size: {type: integer}}}, status: "+state))
}

func widget(group, size string) string {
	return manifest.Object(group+"/v1", "Widget", "w") + "spec: {size: " + size + "}\n"
}

// watcher returns an engine.
func watcher(cluster *source.Cluster, terms observe.Requirements) observe.Watcher {
	return observe.Watcher{Source: cluster, Requirements: terms}
}

// A kind that is defined during a wait is found. When it is removed, its objects are gone, and
// when it is defined again, they are found again.
func TestKindThatComesAndGoesAndComes(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.com"
	w, other := manifest.Target(group, "Widget", ns, "w"), manifest.Target("", "ConfigMap", ns, "other")
	c.Apply(t, ns, manifest.ConfigMap("other"))
	config, _ := newServerConn(c.Config())
	e := run(t, watcher(&source.Cluster{Config: config}, observe.Requirements{}), nil, w, other)
	if u := e.waitForStatus(w, status.UnknownStatus, "NoMatch"); u.Progress != observe.ProgressMissing {
		t.Errorf("told %s", witness.FormatUpdate(u))
	}
	c.Apply(t, ns, defined(group, manifest.Plain)+"---\n"+widget(group, "1"))
	first := e.waitForStatus(w, status.CurrentStatus)

	c.Delete(t, ns, defined(group, manifest.Plain))
	if gone := e.waitForStatus(w, status.NotFoundStatus, "Deleted", "KindRemoved"); gone.Version.UID != first.Version.UID {
		t.Errorf("told %s, want the last that is known of it", witness.FormatUpdate(gone))
	}

	c.Apply(t, ns, defined(group, manifest.Promises)+"---\n"+widget(group, "1"))
	// This time the definition declares more fields, and no controller sets them.
	again := e.waitForStatus(w, status.InProgressStatus, "NotObserved")
	if again.Version.UID == first.Version.UID {
		t.Errorf("told %s, want another object than before", witness.FormatUpdate(again))
	}
	e.waitForStatus(other, status.CurrentStatus)
	updates, _ := e.since(0)
	for _, u := range updates {
		if u.Target == other && u.Result.Status != status.CurrentStatus {
			t.Errorf("what is not of that kind: told %s", witness.FormatUpdate(u))
		}
	}
	c.Delete(t, ns, defined(group, manifest.Promises))
	e.waitForStatus(w, status.NotFoundStatus, "Deleted", "KindRemoved")
}

// A wait for deletion ends when the kind of the objects is removed.
func TestKindThatIsRemovedIsDeletion(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.com"
	c.Apply(t, ns, defined(group, manifest.Plain)+"---\n"+widget(group, "1"))
	w := manifest.Target(group, "Widget", ns, "w")
	e := follow(t, c, untilGone, w)
	e.waitUntil("it is there", func(board map[observe.Target]observe.Update) bool {
		return board[w].Progress == observe.ProgressPending && board[w].Version.UID != ""
	})
	c.Delete(t, ns, defined(group, manifest.Plain))
	e.waitForProgress(observe.ProgressReached, w)
}

// A namespace may be created after the start of a wait for its objects, and may be deleted.
func TestNamespaceThatComesAndGoes(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	space := strings.ReplaceAll(c.Namespace(t), "testnamespacethat", "late-")
	namespace := manifest.Namespace(space)
	n, d, m := manifest.Target("", "Namespace", "", space), manifest.Target("apps", "Deployment", space, "web"), manifest.Target("", "ConfigMap", space, "m")
	e := follow(t, c, observe.Requirements{}, n, d, m)
	for _, target := range []observe.Target{n, d, m} {
		if u := e.waitForStatus(target, status.NotFoundStatus, "NeverSeen"); u.Progress != observe.ProgressMissing {
			t.Errorf("told %s", witness.FormatUpdate(u))
		}
	}
	c.Apply(t, space, namespace+"---\n"+manifest.Deployment("web", manifest.Runs)+"---\n"+manifest.ConfigMap("m"))
	for _, target := range []observe.Target{n, d, m} {
		e.waitForStatus(target, status.CurrentStatus)
	}
	gone := follow(t, c, untilGone, n, d, m)
	gone.waitForProgress(observe.ProgressPending, n, d, m)
	c.Delete(t, space, namespace)
	for _, target := range []observe.Target{n, d, m} {
		e.waitForStatus(target, status.NotFoundStatus, "Deleted")
	}
	gone.waitForProgress(observe.ProgressReached, n, d, m)
	checkAgreement(t, c, e, n, d, m)
}
