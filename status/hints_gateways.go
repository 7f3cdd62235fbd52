package status

import "kstatus.dev/status/internal/word"

// Gateways and proxies other than the Gateway API itself.
//
// Gloo: https://docs.solo.io/gloo-edge/latest/reference/api/
// Contour: https://projectcontour.io/docs/main/config/api/
// Traefik: https://doc.traefik.io/traefik/reference/dynamic-configuration/kubernetes-crd/
// Emissary-ingress: https://www.getambassador.io/docs/emissary/latest/topics/running/host-crd
// Envoy Gateway: https://gateway.envoyproxy.io/docs/api/extension_types/
// kgateway: https://kgateway.dev/docs/reference/api/
// Kuadrant: https://docs.kuadrant.io
var hintsGateways = hintTable{
	// Gloo up to 1.8 has one state for the object, as a number. Later versions have one for each
	// namespace that runs Gloo. Warning means a partly invalid configuration.
	{Group: "gateway.solo.io"}:         hintGloo,
	{Group: "gloo.solo.io"}:            hintGloo,
	{Group: "enterprise.gloo.solo.io"}: hintGloo,
	{Group: "graphql.gloo.solo.io"}:    hintGloo,
	{Group: "ratelimit.solo.io"}:       hintGloo,
	// Contour: proxies read the delegation; no controller reports on it.
	{"projectcontour.io", "TLSCertificateDelegation"}: {StatusOptional: true},
	// Traefik reports nothing on its kinds.
	{Group: "traefik.io"}:          {StatusOptional: true},
	{Group: "traefik.containo.us"}: {StatusOptional: true},
	// Emissary-ingress reports nothing, except for a Host whose certificate Ambassador Edge Stack
	// requests.
	{Group: "getambassador.io"}: {StatusOptional: true},
	// Settings of a gateway: the objects that use them report problems.
	{"gateway.envoyproxy.io", "EnvoyProxy"}:       {StatusOptional: true},
	{"gateway.kgateway.dev", "GatewayParameters"}: {StatusOptional: true},
	{"gateway.kgateway.dev", "DirectResponse"}:    {StatusOptional: true},
	// Kuadrant: a policy is accepted before it is enforced.
	{"kuadrant.io", "*Policy"}: {Summary: []string{"Accepted", "Enforced"}},
}

var hintGloo = &hint{
	Enums: []enum{
		{"status.state", gloo},
		{"status.statuses.*.state", gloo},
	},
}

var gloo = map[int64]enumValue{0: {"Pending", word.Progressing}, 1: {"Accepted", word.Ready}, 2: {"Rejected", word.Failing}, 3: {"Warning", word.Failing}}
