package status

import "kstatus.dev/status/internal/word"

// cert-manager: https://cert-manager.io/docs/reference/api-docs/ and
// https://cert-manager.io/docs/usage/certificate/
var hintsCertManager = hintTable{
	// Ready reports whether an issuer can issue, and whether a request has been issued.
	{Group: "cert-manager.io"}:        {Summary: ready},
	{Group: "certmanager.k8s.io"}:     {Summary: ready},
	{Group: "trust.cert-manager.io"}:  {Summary: []string{"Synced"}},
	{Group: "policy.cert-manager.io"}: {Summary: ready},

	// Before the first certificate, Ready is False with the reason DoesNotExist, and with other
	// reasons before each renewal. Issuing reports failures.
	{Group: "cert-manager.io", Kind: "Certificate"}:    {Summary: ready, ProgressIfFalse: ready},
	{Group: "certmanager.k8s.io", Kind: "Certificate"}: {Summary: ready, ProgressIfFalse: ready},

	// An Order and a Challenge are complete when they are valid. An Order that is ready still has
	// to be finalized.
	{Group: "acme.cert-manager.io", Kind: "Order"}:     {Required: []string{"status.state"}, Words: wordTable{"ready": word.Progressing}},
	{Group: "acme.cert-manager.io", Kind: "Challenge"}: {Required: []string{"status.state"}},
	{Group: "certmanager.k8s.io", Kind: "Order"}:       {Required: []string{"status.state"}, Words: wordTable{"ready": word.Progressing}},
	{Group: "certmanager.k8s.io", Kind: "Challenge"}:   {Required: []string{"status.state"}, Words: wordTable{"ready": word.Progressing}},
}
