package status

import "kstatus.dev/status/internal/word"

// cert-manager: https://cert-manager.io/docs/reference/api-docs/ and
// https://cert-manager.io/docs/usage/certificate/
var hintsCertManager = hintTable{
	// Issuers and requests say in Ready whether they can issue, or have issued.
	{Group: "cert-manager.io"}:        {Summary: ready},
	{Group: "certmanager.k8s.io"}:     {Summary: ready},
	{Group: "trust.cert-manager.io"}:  {Summary: []string{"Synced"}},
	{Group: "policy.cert-manager.io"}: {Summary: ready},

	// Ready is False with the reason DoesNotExist before the first certificate is
	// issued, as with every other reason to issue one; that issuing has failed is
	// told by Issuing.
	{Group: "cert-manager.io", Kind: "Certificate"}:    {Summary: ready, Patient: ready},
	{Group: "certmanager.k8s.io", Kind: "Certificate"}: {Summary: ready, Patient: ready},

	// An Order and a Challenge are over when they are valid; an Order that is ready
	// has yet to be finalized.
	{Group: "acme.cert-manager.io", Kind: "Order"}:     {Required: []string{"status.state"}, Words: wordTable{"ready": word.Progressing}},
	{Group: "acme.cert-manager.io", Kind: "Challenge"}: {Required: []string{"status.state"}},
	{Group: "certmanager.k8s.io", Kind: "Order"}:       {Required: []string{"status.state"}, Words: wordTable{"ready": word.Progressing}},
	{Group: "certmanager.k8s.io", Kind: "Challenge"}:   {Required: []string{"status.state"}, Words: wordTable{"ready": word.Progressing}},
}
