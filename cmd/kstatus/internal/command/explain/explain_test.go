package explain

import (
	"testing"
)

func TestOthers(t *testing.T) {
	for _, row := range []struct {
		current int
		assumed int
		more    bool
		noun    string
		want    string
	}{
		{1, 0, true, "Ingress", "1 other Ingress is Current"},
		{2, 0, true, "Ingress", "2 other Ingresses are Current"},
		{3, 0, true, "Endpoints", "3 other Endpoints are Current"},
		{1, 0, false, "Gateway", "the only Gateway is Current"},
		{2, 0, false, "Gateway", "2 of 2 Gateways are Current"},
		{2, 0, false, "NetworkPolicy", "2 of 2 NetworkPolicies are Current"},
		{1, 1, false, "Move", "the only Move is Current (assumed)"},
		{4, 4, false, "Move", "4 of 4 Moves are Current (assumed)"},
		{4, 1, true, "Move", "4 other Moves are Current, 1 of them (assumed)"},
	} {
		t.Run(row.want, func(t *testing.T) {
			if got := (others{row.current, row.assumed, row.noun}).text(row.more); got != row.want {
				t.Errorf("it is %q, want %q", got, row.want)
			}
		})
	}
}
