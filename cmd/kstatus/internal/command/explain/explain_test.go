package explain

import (
	"testing"
)

func TestOthersText(t *testing.T) {
	for _, row := range []struct {
		current int
		more    bool
		noun    string
		want    string
	}{
		{1, true, "Ingress", "1 other Ingress is Current"},
		{2, true, "Ingress", "2 other Ingresses are Current"},
		{3, true, "Endpoints", "3 other Endpoints are Current"},
		{1, false, "Gateway", "the only Gateway is Current"},
		{2, false, "Gateway", "all 2 Gateways are Current"},
		{2, false, "NetworkPolicy", "all 2 NetworkPolicies are Current"},
	} {
		t.Run(row.want, func(t *testing.T) {
			if got := othersText(row.current, row.more, row.noun); got != row.want {
				t.Errorf("it is %q, want %q", got, row.want)
			}
		})
	}
}
