package explain

import (
	"testing"

	"kstatus.dev/status"
)

func TestStepsDoNotRepeatTheNextStep(t *testing.T) {
	next := []*object{{ObjectFact: &ObjectFact{ID: status.ID{Kind: status.Kind{Kind: "Pod"}, Name: "web-1"}}}}
	rows := []struct {
		it    string
		own   string
		parts *status.Parts
		want  string
	}{
		{"omits the part in the next step", "0/2 available", &status.Parts{Count: 1, Kind: "Pod", Name: "web-1", Message: "it waits"}, "0/2 available"},
		{"omits several parts of its kind", "0/2 available", &status.Parts{Count: 2, Kind: "Pod", Name: "web-7", Message: "it; waits"}, "0/2 available"},
		{"keeps another part", "0/2 available", &status.Parts{Count: 1, Kind: "Pod", Name: "web-2", Message: "it waits"}, "0/2 available; Pod web-2: it waits"},
		{"keeps parts of another kind", "0/2 available", &status.Parts{Count: 2, Kind: "Lamp", Name: "web-1", Message: "it waits"}, "0/2 available; 2 Lamps, such as web-1: it waits"},
		{"keeps parts of another group", "0/2 available", &status.Parts{Count: 1, Group: "example.com", Kind: "Pod", Name: "web-1", Message: "it waits"}, "0/2 available; Pod web-1: it waits"},
		{"keeps the whole text without parts", "0/2 available", nil, "0/2 available"},
		{"omits the list of parts of a controller", "Pod web-0: it starts; Pod web-1: it waits", nil, "Pod web-0: it starts"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			o := &object{ObjectFact: &ObjectFact{ID: status.ID{Kind: status.Kind{Kind: "ReplicaSet"}, Name: "web"}, Parts: row.parts}}
			o.Result.Message = row.own
			if have := o.stepText(next); have != row.want {
				t.Errorf("the link tells %q, want %q", have, row.want)
			}
		})
	}
}
