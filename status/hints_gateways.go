package status

import "kstatus.dev/status/internal/word"

// Gateways and proxies beside the Gateway API itself.
//
// Gloo: https://docs.solo.io/gloo-edge/latest/reference/api/
// Contour: https://projectcontour.io/docs/main/config/api/
// Traefik: https://doc.traefik.io/traefik/reference/dynamic-configuration/kubernetes-crd/
// Emissary-ingress: https://www.getambassador.io/docs/emissary/latest/topics/running/host-crd
// Envoy Gateway: https://gateway.envoyproxy.io/docs/api/extension_types/
// kgateway: https://kgateway.dev/docs/reference/api/
// Kuadrant: https://docs.kuadrant.io
var hintsGateways = hintTable{
	// Gloo has one state for the object as a whole, in versions up to 1.8 as a
	// number, and since then one for each namespace that a Gloo runs in. Its
	// Warning is a configuration that is partly invalid.
	{Group: "gateway.solo.io"}:         hintGloo,
	{Group: "gloo.solo.io"}:            hintGloo,
	{Group: "enterprise.gloo.solo.io"}: hintGloo,
	{Group: "graphql.gloo.solo.io"}:    hintGloo,
	{Group: "ratelimit.solo.io"}:       hintGloo,
	// Contour: who may use a certificate is only looked at by who uses it.
	{"projectcontour.io", "TLSCertificateDelegation"}: {Silent: true},
	// Traefik reports nothing on its kinds.
	{Group: "traefik.io"}:          {Silent: true},
	{Group: "traefik.containo.us"}: {Silent: true},
	// Emissary-ingress reports nothing, but for a Host whose certificate Ambassador
	// Edge Stack gets.
	{Group: "getambassador.io"}: {Silent: true},
	// Settings of a gateway: what uses them says what is wrong with them.
	{"gateway.envoyproxy.io", "EnvoyProxy"}:       {Silent: true},
	{"gateway.kgateway.dev", "GatewayParameters"}: {Silent: true},
	{"gateway.kgateway.dev", "DirectResponse"}:    {Silent: true},
	// Kuadrant: a policy is accepted before what enforces it has it.
	{"kuadrant.io", "*Policy"}: {Summary: []string{"Accepted", "Enforced"}},
}

var hintGloo = &hint{
	Enums: []enum{
		{"status.state", gloo},
		{"status.statuses.*.state", gloo},
	},
}

var gloo = map[int64]enumValue{0: {"Pending", word.Progressing}, 1: {"Accepted", word.Ready}, 2: {"Rejected", word.Failing}, 3: {"Warning", word.Failing}}
