package messages_test

import (
	"slices"
	"testing"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/status"
)

func TestMentions(t *testing.T) {
	named := func(group, kind, namespace, name string) []status.ID {
		return []status.ID{{Kind: status.Kind{Group: group, Kind: kind}, Namespace: namespace, Name: name}}
	}
	for _, row := range []struct {
		message string
		want    []status.ID
	}{
		{`waiting for Bucket "assets"`, named("", "Bucket", "", "assets")},
		{"Bucket shop/assets is not ready", named("", "Bucket", "shop", "assets")},
		{"Pool/blue has no members", named("", "Pool", "", "blue")},
		{"waits for Pool/shop/blue.", named("", "Pool", "shop", "blue")},
		{"referenced Pool 'blue' does not exist", named("", "Pool", "", "blue")},
		{`policies.net.example.com "deny" not found`, named("net.example.com", "policy", "", "deny")},
		{"the disk is full", nil},
		{"Pool status.ready is false", nil},
		{"", nil},
	} {
		if have := messages.Mentions(row.message); !slices.Equal(have, row.want) {
			t.Errorf("%q: have %+v, want %+v", row.message, have, row.want)
		}
	}
}

func TestReportsMissing(t *testing.T) {
	for message, want := range map[string]bool{
		"Pool blue does not exist": true, `pools "blue" not found`: true, "waiting for Pool blue": false, "": false,
	} {
		if have := messages.ReportsMissing(message); have != want {
			t.Errorf("%q: have %t", message, have)
		}
	}
}
