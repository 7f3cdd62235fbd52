package conditions_test

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/kube/conditions"
)

var serverSet = conditions.MustSet(
	conditions.Summary(conditions.Ready, "ServerUp", "Degraded"),
	conditions.Positive("ServerUp", "Running", "Creating"),
	conditions.Negative("Degraded", "DiskFull", "Healthy"),
	conditions.Abnormal(conditions.Stalled),
	conditions.Info(conditions.Paused),
)

func newServer() *Server {
	return &Server{
		TypeMeta:   metav1.TypeMeta{APIVersion: "example.com/v1", Kind: "Server"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "u1", Generation: 1},
	}
}

func begin(t *testing.T, set *conditions.Set, f *fakeServer, obj conditions.Object) *conditions.Pass {
	t.Helper()
	f.decode(obj)
	pass, err := set.Begin(obj)
	if err != nil {
		t.Fatal(err)
	}
	return pass
}

func commit(t *testing.T, pass *conditions.Pass, w conditions.Writer) bool {
	t.Helper()
	changed, err := pass.Commit(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

func TestMainPath(t *testing.T) {
	f := serve(t, newServer())
	s := &Server{}
	pass := begin(t, serverSet, f, s)
	if !commit(t, pass, f) || f.writes != 1 {
		t.Fatalf("first visit: %d writes, want 1", f.writes)
	}
	for _, c := range s.Status.Conditions {
		t.Log(c)
	}
	pass = begin(t, serverSet, f, s)
	pass.True("ServerUp", "Running", "")
	pass.False("Degraded", "Healthy", "")
	pass.MarkInitialized("provisioned")
	s.Status.Addresses = []string{"10.0.0.1"}
	commit(t, pass, f)
	pass = begin(t, serverSet, f, s)
	pass.True("ServerUp", "Running", "")
	pass.False("Degraded", "Healthy", "")
	if commit(t, pass, f) || f.writes != 2 {
		t.Errorf("steady: %d writes, want 2", f.writes)
	}
	if c := pass.Get(conditions.Ready); c.Status != metav1.ConditionTrue || s.Status.ObservedGeneration != 1 || !*s.Status.Initialization.Provisioned {
		t.Errorf("status is %+v", s.Status)
	}
}
