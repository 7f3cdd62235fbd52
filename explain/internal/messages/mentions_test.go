package messages_test

import (
	"fmt"
	"testing"

	"kstatus.dev/explain/internal/messages"
)

func TestMentions(t *testing.T) {
	for _, row := range []struct{ message, want string }{
		{`waiting for Bucket "assets"`, "[{ Bucket  assets}]"},
		{"Bucket shop/assets is not ready", "[{ Bucket shop assets}]"},
		{"Pool/blue has no members", "[{ Pool  blue}]"},
		{"waits for Pool/shop/blue.", "[{ Pool shop blue}]"},
		{"referenced Pool 'blue' does not exist", "[{ Pool  blue}]"},
		{`policies.net.example.com "deny" not found`, "[{net.example.com policy  deny}]"},
		{"the disk is full", "[]"},
		{"Pool status.ready is false", "[]"},
		{"", "[]"},
	} {
		if have := fmt.Sprint(messages.Mentions(row.message)); have != row.want {
			t.Errorf("%q: have %s, want %s", row.message, have, row.want)
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
