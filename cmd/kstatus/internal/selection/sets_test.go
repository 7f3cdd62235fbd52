package selection

import (
	"testing"

	"kstatus.dev/kube/sets"
)

func TestRevisionText(t *testing.T) {
	for _, row := range []struct {
		it   string
		all  []sets.Revision
		want string
	}{
		{"names the latest revision", []sets.Revision{{Number: 1, Status: "superseded"}, {Number: 2, Status: "deployed"}}, "revision 2 of helm/web"},
		{"names an earlier revision that is deployed too", []sets.Revision{{Number: 1, Status: "deployed"}, {Number: 999, Status: "deployed"}}, "revision 999 of helm/web (revision 1 is deployed too)"},
		{"takes an upgrade that has not ended as usual", []sets.Revision{{Number: 1, Status: "deployed"}, {Number: 2, Status: "pending-upgrade"}}, "revision 2 of helm/web"},
		{"takes an upgrade that failed as usual", []sets.Revision{{Number: 1, Status: "deployed"}, {Number: 2, Status: "failed"}}, "revision 2 of helm/web"},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := revisionText(sets.Owner{Type: sets.TypeHelm, Name: "web"}, row.all); have != row.want {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}
