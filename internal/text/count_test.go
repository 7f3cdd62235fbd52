package text_test

import (
	"testing"

	"kstatus.dev/internal/text"
)

func TestPlural(t *testing.T) {
	for noun, want := range map[string]string{
		"Pod":           "Pods",
		"Ingress":       "Ingresses",
		"StorageClass":  "StorageClasses",
		"EndpointSlice": "EndpointSlices",
		"NetworkPolicy": "NetworkPolicies",
		"Endpoints":     "Endpoints",
		"PodMetrics":    "PodMetrics",
		"Gateway":       "Gateways",
		"Key":           "Keys",
		"Proxy":         "Proxies",
		"Prefix":        "Prefixes",
		"Prometheus":    "Prometheuses",
		"Patch":         "Patches",
		"Mesh":          "Meshes",
		"Quartz":        "Quartzes",
		"DNS":           "DNSes",
		"y":             "ys",
		"":              "s",
		"networkpolicy": "networkpolicies",
		"ingress":       "ingresses",
		"endpoints":     "endpoints",
		"other object":  "other objects",
		"other Ingress": "other Ingresses",
		"İy":            "İies",
	} {
		t.Run(noun, func(t *testing.T) {
			if got := text.Plural(noun); got != want {
				t.Errorf("Plural(%q) = %q, want %q", noun, got, want)
			}
		})
	}
}

func TestCount(t *testing.T) {
	for _, row := range []struct {
		n    int
		noun string
		want string
	}{
		{0, "object", "0 objects"}, {1, "object", "1 object"}, {2, "object", "2 objects"},
		{1, "NetworkPolicy", "1 NetworkPolicy"}, {3, "NetworkPolicy", "3 NetworkPolicies"},
	} {
		t.Run(row.want, func(t *testing.T) {
			if got := text.Count(row.n, row.noun); got != row.want {
				t.Errorf("Count(%d, %q) = %q, want %q", row.n, row.noun, got, row.want)
			}
		})
	}
}

func TestAnd(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "get": {"get"}, "get and list": {"get", "list"}, "get, list and watch": {"get", "list", "watch"}} {
		if have := text.And(words); have != want {
			t.Errorf("And(%q) = %q, want %q", words, have, want)
		}
	}
}
