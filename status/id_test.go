package status_test

import (
	"cmp"
	"encoding/json"
	"testing"

	"kstatus.dev/status"
)

func TestID(t *testing.T) {
	deployment := status.Kind{Group: "apps", Kind: "Deployment"}
	rows := []struct {
		it   string
		id   status.ID
		text string
		json string
	}{ // sorted
		{
			"sorts an object without a cluster first, and omits the cluster", status.ID{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "web-0"},
			"Pod/shop/web-0", `{"group":"","kind":"Pod","namespace":"shop","name":"web-0"}`,
		},
		{
			"sorts by cluster before kind", status.ID{Cluster: "east", Kind: deployment, Namespace: "db", Name: "web"},
			"east:Deployment/db/web", `{"cluster":"east","group":"apps","kind":"Deployment","namespace":"db","name":"web"}`,
		},
		{
			"sorts by namespace before name", status.ID{Cluster: "east", Kind: deployment, Namespace: "shop", Name: "api"},
			"east:Deployment/shop/api", `{"cluster":"east","group":"apps","kind":"Deployment","namespace":"shop","name":"api"}`,
		},
		{
			"sorts by name before group", status.ID{Cluster: "east", Kind: deployment, Namespace: "shop", Name: "web"},
			"east:Deployment/shop/web", `{"cluster":"east","group":"apps","kind":"Deployment","namespace":"shop","name":"web"}`,
		},
		{
			"sorts by group last, and prints no group", status.ID{Cluster: "east", Kind: status.Kind{Group: "extensions", Kind: "Deployment"}, Namespace: "shop", Name: "web"},
			"east:Deployment/shop/web", `{"cluster":"east","group":"extensions","kind":"Deployment","namespace":"shop","name":"web"}`,
		},
		{
			"sorts by kind before group, and prints no slash for an absent namespace", status.ID{Cluster: "east", Kind: status.Kind{Kind: "Node"}, Name: "a"},
			"east:Node/a", `{"cluster":"east","group":"","kind":"Node","namespace":"","name":"a"}`,
		},
	}
	for i, c := range rows {
		t.Run(c.it, func(t *testing.T) {
			if text := c.id.String(); text != c.text {
				t.Errorf("String() = %s, want %s", text, c.text)
			}
			text, err := json.Marshal(c.id)
			if err != nil || string(text) != c.json {
				t.Errorf("the JSON is %s (%v), want %s", text, err, c.json)
			}
			var again status.ID
			if err := json.Unmarshal(text, &again); err != nil || again != c.id {
				t.Errorf("the JSON is read as %+v (%v), want %+v", again, err, c.id)
			}
			for j, other := range rows {
				if have, want := c.id.Compare(other.id), cmp.Compare(i, j); have != want {
					t.Errorf("Compare(%s) = %d, want %d", other.id, have, want)
				}
			}
		})
	}
}
