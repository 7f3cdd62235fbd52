package matrix

import (
	"errors"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
	"kstatus.dev/test/lib/witness"
)

// An object that is deleted and recreated under its name is a different object. A wait for
// Current reports this, a wait for deletion ends, and a wait with a UID ignores the new object.
func TestObjectThatIsReplaced(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.Deployment("web", manifest.Runs))
	web := manifest.Target("apps", "Deployment", ns, "web")
	config, line := newServerConn(c.Config())
	e := watch(t, config, observe.Requirements{}, nil, web)
	first := e.waitForStatus(web, status.CurrentStatus)
	gone := watch(t, config, untilGone, nil, web)
	gone.waitForProgress(observe.ProgressPending, web)
	floor := run(t, observe.Watcher{
		Source:     &source.Cluster{Config: config},
		MinVersion: func(observe.Target) observe.Version { return observe.Version{UID: first.Version.UID} },
	}, nil, web)
	floor.waitForStatus(web, status.CurrentStatus)

	line.cut() // the deletion is not seen
	c.Delete(t, ns, manifest.Deployment("web", manifest.Runs))
	c.Apply(t, ns, manifest.Deployment("web", manifest.Runs))
	line.restore()

	e.waitUntil("it is replaced and current", func(board map[observe.Target]observe.Update) bool {
		u := board[web]
		return u.Version.ReplacedUID == first.Version.UID && u.Version.UID != first.Version.UID && u.Result.Status == status.CurrentStatus && len(u.Result.Warnings) > 0
	})
	gone.waitForProgress(observe.ProgressReached, web)
	if u := floor.waitForStatus(web, status.NotFoundStatus, "Replaced"); u.Progress != observe.ProgressFailed {
		t.Errorf("told %s, want %s", witness.FormatUpdate(u), observe.ProgressFailed)
	}
	checkAgreement(t, c, e, web)
}

// A Job that its TTL removes has succeeded if it was seen to be complete. Otherwise its outcome
// is unknown, and it does not count as succeeded.
func TestJobsThatAreRemovedByTheirTTL(t *testing.T) {
	rows := []struct {
		it   string
		test func(t *testing.T, c *cluster.Cluster, job observe.Target)
	}{
		{"is seen complete", testSeenComplete},
		{"is removed at once", testRemovedAtOnce},
		{"is gone before the wait", testGoneBeforeWait},
		{"is running when it is seen last", testSeenRunning},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			c := live.Cluster(t)
			row.test(t, c, manifest.Target("batch", "Job", c.Namespace(t), "once"))
		})
	}
}

func testSeenComplete(t *testing.T, c *cluster.Cluster, job observe.Target) {
	c.Apply(t, job.Namespace, manifest.Job(job.Name, 1, 3))
	e := follow(t, c, observe.Requirements{}, job)
	e.waitForUpdate(job, status.CurrentStatus, "Completed")
	if u := e.waitForStatus(job, status.NotFoundStatus, "ExpiredTTL"); u.Progress != observe.ProgressReached {
		t.Errorf("told %s, want %s", witness.FormatUpdate(u), observe.ProgressReached)
	}
}

func testRemovedAtOnce(t *testing.T, c *cluster.Cluster, job observe.Target) {
	e := follow(t, c, observe.Requirements{}, job)
	e.waitForStatus(job, status.NotFoundStatus, "NeverSeen")
	c.Apply(t, job.Namespace, manifest.Job(job.Name, 1, 0))
	u := e.waitForStatus(job, status.NotFoundStatus, "ExpiredTTL", "Deleted")
	updates, _ := e.since(0)
	seen := slices.ContainsFunc(updates, func(u observe.Update) bool { return u.Result.Reason == "Completed" })
	if seen && u.Result.Reason != "ExpiredTTL" {
		t.Errorf("it was seen to be complete: told %s", witness.FormatUpdate(u))
	}
}

func testGoneBeforeWait(t *testing.T, c *cluster.Cluster, job observe.Target) {
	c.Apply(t, job.Namespace, manifest.Job(job.Name, 0, 0))
	follow(t, c, untilGone, job).waitForProgress(observe.ProgressReached, job)
	e := follow(t, c, observe.Requirements{}, job)
	if u := e.waitForStatus(job, status.NotFoundStatus, "NeverSeen"); u.Progress != observe.ProgressMissing {
		t.Errorf("told %s, want %s", witness.FormatUpdate(u), observe.ProgressMissing)
	}
}

func testSeenRunning(t *testing.T, c *cluster.Cluster, job observe.Target) {
	endless := "template:\n    metadata: {annotations: {kstatus.dev/pod: never-ready}}\n"
	c.Apply(t, job.Namespace, strings.Replace(manifest.Job(job.Name, 0, 0), "template:\n", endless, 1))
	config, line := newServerConn(c.Config())
	e := watch(t, config, observe.Requirements{}, nil, job)
	e.waitForStatus(job, status.InProgressStatus)
	line.cut()
	completePod(t, c, job)
	follow(t, c, untilGone, job).waitForProgress(observe.ProgressReached, job)
	line.restore()
	if u := e.waitForStatus(job, status.NotFoundStatus, "Deleted"); u.Progress == observe.ProgressReached {
		t.Errorf("told %s", witness.FormatUpdate(u))
	}
}

// completePod waits for the Pod of a Job, and lets it complete.
func completePod(t *testing.T, c *cluster.Cluster, job observe.Target) {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	pods := client.CoreV1().Pods(job.Namespace)
	poll.Check(t, func() error {
		all, err := pods.List(t.Context(), metav1.ListOptions{LabelSelector: "job-name=" + job.Name})
		if err == nil && len(all.Items) == 0 {
			err = errors.New("the Job has no Pod")
		}
		if err != nil {
			return err
		}
		complete := []byte(`{"metadata": {"annotations": {"kstatus.dev/pod": "complete"}}}`)
		_, err = pods.Patch(t.Context(), all.Items[0].Name, types.MergePatchType, complete, metav1.PatchOptions{})
		return err
	})
}
