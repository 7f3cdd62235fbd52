package lint

import (
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// cliUtils reads an object like the library kstatus in cli-utils, with the compat profile.
func cliUtils(x scenarioObject) ToolVerdict {
	res, err := status.Evaluator{Profile: status.CompatProfile()}.Compute(status.Map(x.object))
	if err != nil {
		return ToolVerdict{Output: "error", Why: err.Error(), Advice: x.advice()}
	}
	r := ToolVerdict{Output: string(res.Status), Done: res.Status == status.CurrentStatus, Why: x.decidingRule(res), Advice: x.advice()}
	return r
}

// decidingRule returns the rule of kstatus in cli-utils that decided.
func (x scenarioObject) decidingRule(res *status.Result) string {
	seen, has := number(decoded.At(x.object, "status", "observedGeneration"))
	generation, _ := number(decoded.At(x.object, "metadata", "generation"))
	switch {
	case has && seen != generation:
		return "observedGeneration differs from the generation"
	case res.Confidence == status.ConfidenceAssumed:
		return "no field reports a problem: " + x.missingText()
	case res.Message != "":
		return res.Message
	}
	if c := x.conditionOf("Ready"); c != nil && res.Status == status.InProgressStatus {
		return "Ready is " + decoded.Text(c, "status")
	}
	return "a standard condition reports it"
}

// missingText returns what an object without a reported problem lacks.
func (x scenarioObject) missingText() string {
	if _, has := decoded.Map(x.object, "status")["observedGeneration"]; has {
		return "its generation is observed, and it has no condition Ready"
	}
	return "it has neither an observedGeneration nor a condition Ready"
}

// helm reads an object like helm install --wait of Helm 4, which uses kstatus of cli-utils.
// Failed ends a wait with an error.
//
// Source: helm.sh/helm/v4/pkg/kube, statuswait.go.
func helm(x scenarioObject) ToolVerdict { return kstatusVerdict(x, "waits", "ends: installed") }

// flux reads an object like a Kustomization of Flux with wait or healthChecks, which uses
// kstatus of cli-utils. spec.healthCheckExprs can replace it for a kind.
//
// Source: fluxcd.io/flux/components/kustomize/kustomizations, "Health checks".
func flux(x scenarioObject) ToolVerdict {
	return kstatusVerdict(x, "health check runs", "health check passed")
}

func kstatusVerdict(x scenarioObject, waits, done string) ToolVerdict {
	r := cliUtils(x)
	verdict := r.Output
	switch {
	case r.Done:
		r.Output = done
	case verdict == string(status.FailedStatus):
		r.Output = "ends: failed"
	default:
		r.Output = waits
	}
	r.Why = "cli-utils returns " + verdict + ": " + r.Why
	return r
}
