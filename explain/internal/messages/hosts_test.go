package messages_test

import (
	"fmt"
	"testing"

	"kstatus.dev/explain/internal/messages"
)

func TestHosts(t *testing.T) {
	for _, row := range []struct{ line, want string }{
		{"dial tcp: lookup cache on 10.96.0.10:53: no such host", "[cache! 10.96.0.10 lookup]"},
		{"Error: getaddrinfo ENOTFOUND queue.jobs.svc", "[queue.jobs.svc!]"},
		{`could not translate host name "cache" to address: Name or service not known`, "[cache! name address]"},
		{"connect ECONNREFUSED redis://:pw@cache:6379", "[cache]"},
		{"dial tcp 10.96.4.4:6379: connect: connection refused", "[10.96.4.4]"},
		{"Connection to cache:6379 timed out", "[cache]"},
		{"waiting for cache:6379 ...", "[cache]"},
		{"listening on 0.0.0.0:8080", "[]"},
		{"", "[]"},
	} {
		var have []string
		for _, h := range messages.Hosts([]string{row.line}) {
			if h.Unresolved {
				h.Name += "!"
			}
			have = append(have, h.Name)
		}
		if fmt.Sprint(have) != row.want {
			t.Errorf("%q: have %v, want %s", row.line, have, row.want)
		}
	}
}

func TestServiceOf(t *testing.T) {
	for host, want := range map[string]string{
		"cache": "shop/cache true", "cache.jobs": "jobs/cache true", "cache.jobs.svc.cluster.local": "jobs/cache true",
		"10.0.0.1": "/ false", "localhost": "/ false", "db.example.com": "/ false",
	} {
		namespace, name, ok := messages.Host{Name: host}.ServiceOf("shop")
		if have := fmt.Sprintf("%s/%s %t", namespace, name, ok); have != want {
			t.Errorf("%s: have %s, want %s", host, have, want)
		}
	}
}
