package status

import "kstatus.dev/status/internal/word"

// Service meshes.
//
// Istio: https://istio.io/latest/docs/reference/config/config-status/
// Sail: https://github.com/istio-ecosystem/sail-operator/blob/main/docs/api-reference/sailoperator.io.md
var hintsMesh = hintTable{
	// Istio writes a status only if status analysis is enabled.
	{Group: "networking.istio.io"}: hintIstio,
	{Group: "security.istio.io"}:   hintIstio,
	{Group: "telemetry.istio.io"}:  hintIstio,
	{Group: "extensions.istio.io"}: hintIstio,
	// An installation that Istio's former operator manages.
	{"install.istio.io", "IstioOperator"}: {
		Words: wordTable{"NONE": word.Progressing},
		Enums: []enum{{"status.status", map[int64]enumValue{
			0: {"NONE", word.Progressing}, 1: {"UPDATING", word.Progressing}, 2: {"RECONCILING", word.Progressing}, 3: {"HEALTHY", word.Ready}, 4: {"ERROR", word.Failing}, 5: {"ACTION_REQUIRED", word.Failing},
		}}},
	},
	// Sail: a revision that no other object refers to is still ready.
	{Group: "sailoperator.io"}: {
		Summary: []string{"Reconciled", "Ready"},
		Neutral: []string{"InUse"},
	},
	{"sailoperator.io", "IstioRevisionTag"}: {
		Summary: []string{"Reconciled"},
		Neutral: []string{"InUse"},
	},
}

var hintIstio = &hint{
	StatusOptional: true,
	States:         []string{"status.validationMessages.*.level"},
	Words:          wordTable{"ERROR": word.Failing, "WARNING": word.Ready, "INFO": word.Ready},
	Enums:          []enum{{"status.validationMessages.*.level", map[int64]enumValue{3: {"ERROR", word.Failing}, 8: {"WARNING", word.Ready}, 12: {"INFO", word.Ready}}}},
}
