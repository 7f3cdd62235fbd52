package selection

import (
	"testing"

	"kstatus.dev/kube/sets"
)

func TestAdvice(t *testing.T) {
	rows := []struct{ status, description, want, wantInterrupted string }{
		{"deployed", "Install complete", "", ""},
		{"pending-install", "Initial install underway", "", "If no helm process is running any more, Helm was interrupted. To start over: helm uninstall web -n shop"},
		{"pending-upgrade", "Preparing upgrade", "", "If no helm process is running any more, Helm was interrupted. To go back: helm history web -n shop, then helm rollback web -n shop"},
		{"failed", `Upgrade "web" failed: cannot patch "web"`, "To see all revisions: helm history web -n shop", ""},
		{"failed", `Upgrade "web" failed: post-upgrade hooks failed: timed out`, "kstatus does not follow Helm hooks. To see why the hook failed: kstatus explain jobs -n shop", ""},
		{
			"failed", `Release "web" failed: failed post-install: 1 error occurred: * job web-migrate failed: BackoffLimitExceeded`,
			"kstatus does not follow Helm hooks. To see why the hook failed: kstatus explain job/web-migrate -n shop, helm history web -n shop", "",
		},
		{"uninstalled", "Uninstallation complete", "helm rollback web 3 -n shop installs it again", ""},
	}
	for _, row := range rows {
		t.Run(row.status+" "+row.description, func(t *testing.T) {
			r := Release{
				Owner:    sets.Owner{Type: sets.TypeHelm, Name: "web", Namespace: "shop"},
				Revision: sets.Revision{Number: 3, Status: row.status, Description: row.description},
			}
			if have := r.Advice(); have != row.want {
				t.Errorf("advice: have %q, want %q", have, row.want)
			}
			if have := r.InterruptedAdvice(); have != row.wantInterrupted {
				t.Errorf("after an interruption: have %q, want %q", have, row.wantInterrupted)
			}
		})
	}
}
