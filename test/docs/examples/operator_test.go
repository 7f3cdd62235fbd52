package examples

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/status"
	"kstatus.dev/test/lib/poll"
)

func migration(name, command string) string {
	return "{apiVersion: ops.example.com/v1, kind: Migration, metadata: {name: " + name + "}, spec: {image: " + good + ", command: [sh, -c, " + command + "]}}\n"
}

// A wait for a Migration lasts until its Job has succeeded, and ends at once if the Job has
// failed.
func TestOperator(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, "", read(t, "../../../examples/operator/crd.yaml"))
	c.Apply(t, ns, migration("early", "sleep 2")) // before the start of its operator
	migrations, jobs := newAPI(t, ns, "ops.example.com", "v1", "migrations"), newAPI(t, ns, "batch", "v1", "jobs")
	wait := func(name string) run {
		return execute(t, "kstatus", "wait", "-n", ns, "--timeout", poll.Patience.String(), "migrations.ops.example.com/"+name)
	}
	if r := execute(t, "kstatus", "wait", "-n", ns, "--timeout", "1s", "migrations.ops.example.com/early"); r.code != 4 {
		t.Errorf("nobody has reported, want exit code 4 for the timeout: %s", r)
	}
	start(t, "operator")
	if r := wait("early"); r.code != 0 || condition(jobs.get("early-1"), "Complete")["status"] != "True" {
		t.Errorf("early: %s", r)
	}

	c.Apply(t, ns, migration("bad", "exit 3"))
	if r := wait("bad"); r.code != 3 || condition(migrations.get("bad"), "Stalled")["status"] != "True" {
		t.Errorf("bad: %s", r)
	}
	migrations.patch("bad", `{"spec": {"command": ["sh", "-c", "sleep 1"]}}`)
	migrations.until(func(obj *unstructured.Unstructured) bool {
		verdict, err := status.Compute(obj)
		if err != nil {
			t.Fatal(err)
		}
		if obj.GetName() != "bad" || verdict.Status != status.CurrentStatus {
			return false
		}
		if condition(jobs.get("bad-2"), "Complete")["status"] != "True" {
			t.Errorf("the Migration is Current before its Job has ended: %v", obj.Object["status"])
		}
		return true
	})
	for _, typ := range []string{"Stalled", "Reconciling"} {
		if have := condition(migrations.get("bad"), typ); len(have) > 0 {
			t.Errorf("the Migration has ended and has the condition %v", have)
		}
	}
}
