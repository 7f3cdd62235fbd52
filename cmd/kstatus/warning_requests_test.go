package main

import (
	"slices"
	"strings"
	"testing"
)

// A wait that succeeds reads what the warnings about its objects depend on, once. Warnings that need
// only the object take no request.
func TestRequestsForWarnings(t *testing.T) {
	c, _, _ := troubledCluster(t)
	for _, row := range []struct {
		of   string
		want []string
	}{
		{"node/n1", nil},
		{"poddisruptionbudget/strict", nil},
		{"daemonset/agent", nil},
		{"service/good", []string{"get services in shop named good", "list endpointslices in shop with kubernetes.io/service-name=good"}},
		{"service/named", []string{
			"get services in shop named named", "list endpointslices in shop with kubernetes.io/service-name=named", "list pods in shop with app=fine",
		}},
		{"ingress/safe", []string{
			"get ingressclasses named other", "get ingresses in shop named safe", "get secrets in shop named absent", "get services in shop named good",
			"list endpointslices in shop with kubernetes.io/service-name=good", "list events in shop",
		}},
		{"cronjob/nightly", []string{"get cronjobs in shop named nightly", "list events in shop", "list jobs in shop"}},
	} {
		t.Run(row.of, func(t *testing.T) {
			c.Requests()
			if a := c.run("", "wait", row.of, "--timeout", "1m"); a.code != 0 {
				t.Fatalf("it exits with %d:\n%s%s", a.code, a.out, a.notes)
			}
			var have []string
			for _, r := range c.Requests() {
				if r.Verb != "discover" && r.Verb != "watch" {
					have = append(have, r.String())
				}
			}
			slices.Sort(have)
			if !slices.Equal(have, row.want) {
				t.Errorf("have\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(row.want, "\n"))
			}
		})
	}
}
