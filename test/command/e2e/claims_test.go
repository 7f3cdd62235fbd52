package e2e

import (
	"testing"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
)

// A PersistentVolumeClaim is ready without a volume if its StorageClass binds it when a Pod
// uses it. Without permission to read StorageClasses, this is unknown.
func TestClaimThatWaitsForConsumer(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	claim := func(class string) string {
		return "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: " + class + "}\nspec: {storageClassName: " + class + ", " +
			"accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n---\n"
	}
	c.Apply(t, ns, claim("zonal")+claim("manual"))
	rows := []struct {
		it, claim string
		user      bool
		status    status.Status
		reason    string
	}{
		{"is there by design", "zonal", false, status.CurrentStatus, "WaitingForFirstConsumer"},
		{"is waited for where it is bound at once", "manual", false, status.InProgressStatus, "Binding"},
		{"is waited for where its class may not be read", "zonal", true, status.InProgressStatus, "Binding"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			config := c.Config()
			if row.user {
				grant := cluster.Grant{Namespace: ns, Verbs: []string{"get", "list", "watch"}, Resources: []string{"persistentvolumeclaims"}}
				config = configOf(t, c.User(t, ns, "someone", grant))
			}
			w := observe.Watcher{Source: &source.Cluster{Config: config}}
			for u, err := range w.Updates(t.Context(), manifest.Target("", "PersistentVolumeClaim", ns, row.claim)) {
				if err != nil {
					t.Fatal(err)
				}
				if u.Result.Status != row.status || u.Result.Reason != row.reason {
					t.Errorf("it %s: have %s %s: %s", row.it, u.Result.Status, u.Result.Reason, u.Result.Message)
				}
				break
			}
		})
	}
}
