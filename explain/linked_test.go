package explain

import "testing"

func TestLinksDoNotRepeatWhatFollows(t *testing.T) {
	next := []*node{{Thing: &Thing{ID: ID{Kind: "Pod", Name: "web-1"}}}}
	for _, row := range []struct{ name, message, want string }{
		{"it leaves out the Pod that follows", "0/2 available; Pod web-1: it waits", "0/2 available"},
		{"it leaves out several of the kind that follows", "0/2 available; 2 Pods, such as web-7: it; waits", "0/2 available"},
		{"it keeps a Pod that does not follow", "0/2 available; Pod web-2: it waits", "0/2 available; Pod web-2: it waits"},
		{"it keeps several without a number", "0/2 available; bad Pods, such as web-7: it waits", "0/2 available; bad Pods, such as web-7: it waits"},
		{"it keeps several at the beginning", "2 Pods, such as web-7: it waits", "2 Pods, such as web-7: it waits"},
		{"it keeps what names no part", "0/2 available", "0/2 available"},
	} {
		t.Run(row.name, func(t *testing.T) {
			n := &node{Thing: &Thing{ID: ID{Kind: "ReplicaSet", Name: "web"}}}
			n.Result.Message = row.message
			if have := n.linked(next); have != row.want {
				t.Errorf("of %q a link tells %q, want %q", row.message, have, row.want)
			}
		})
	}
}
