package lint

import "kstatus.dev/status"

// cliUtils reads an object as the library kstatus in cli-utils does, by the
// profile that gives its answers.
func cliUtils(x moment) ToolVerdict {
	res, err := status.Evaluator{Profile: status.CompatProfile()}.Compute(status.Map(x.object))
	if err != nil {
		return ToolVerdict{Output: "error", Why: err.Error(), Advice: x.advice()}
	}
	r := ToolVerdict{Output: string(res.Status), Done: res.Status == status.CurrentStatus, Why: x.why(res), Advice: x.advice()}
	return r
}

// why says by which of its few rules kstatus in cli-utils came to an answer.
func (x moment) why(res *status.Result) string {
	seen, has := number(object(x.object, "status")["observedGeneration"])
	generation, _ := number(object(x.object, "metadata")["generation"])
	switch {
	case has && seen != generation:
		return "observedGeneration is not the generation"
	case res.Confidence == status.ConfidenceAssumed:
		return "nothing speaks against it: " + x.nothing()
	case res.Message != "":
		return res.Message
	}
	if c := x.conditionOf("Ready"); c != nil && res.Status == status.InProgressStatus {
		return "Ready is " + text(c, "status")
	}
	return "a standard condition says so"
}

// nothing says what is missing where nothing speaks against an object.
func (x moment) nothing() string {
	if _, has := object(x.object, "status")["observedGeneration"]; has {
		return "its generation is observed, and there is no condition Ready"
	}
	return "there is neither an observedGeneration nor a condition Ready"
}

// helm reads an object as helm install --wait of Helm 4 does, which uses kstatus
// of cli-utils. Failed ends a wait with an error.
//
// Source: helm.sh/helm/v4/pkg/kube, statuswait.go.
func helm(x moment) ToolVerdict { return byKstatus(x, "waits", "ends: installed") }

// flux reads an object as a Kustomization of Flux with wait or healthChecks
// does, which uses kstatus of cli-utils; spec.healthCheckExprs can replace it for
// a kind.
//
// Source: fluxcd.io/flux/components/kustomize/kustomizations, "Health checks".
func flux(x moment) ToolVerdict { return byKstatus(x, "health check goes on", "health check passed") }

func byKstatus(x moment, waits, done string) ToolVerdict {
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
	r.Why = "cli-utils says " + verdict + ": " + r.Why
	return r
}
