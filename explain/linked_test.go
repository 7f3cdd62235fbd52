package explain

import "testing"

func TestLinksDoNotRepeatWhatFollows(t *testing.T) {
	next := []*node{{Thing: &Thing{ID: ID{Kind: "Pod", Name: "web-1"}}}}
	for message, want := range map[string]string{
		"0/2 available; Pod web-1: it waits":               "0/2 available",
		"0/2 available; 2 Pods, such as web-7: it; waits":  "0/2 available",
		"0/2 available; Pod web-2: it waits":               "0/2 available; Pod web-2: it waits",
		"0/2 available; bad Pods, such as web-7: it waits": "0/2 available; bad Pods, such as web-7: it waits",
		"2 Pods, such as web-7: it waits":                  "2 Pods, such as web-7: it waits",
		"0/2 available":                                    "0/2 available",
	} {
		n := &node{Thing: &Thing{ID: ID{Kind: "ReplicaSet", Name: "web"}}}
		n.Result.Message = message
		if have := n.linked(next); have != want {
			t.Errorf("of %q a link tells %q, want %q", message, have, want)
		}
	}
}
