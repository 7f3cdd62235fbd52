package lint

import "kstatus.dev/status"

// cliUtils reads an object as the library kstatus in cli-utils does, by the
// profile that gives its answers.
func cliUtils(x scenario) Reading {
	res, err := status.Evaluator{Profile: status.CompatProfile()}.Compute(status.Map(x.object))
	if err != nil {
		return Reading{Says: "error", Why: err.Error(), Helps: x.helps()}
	}
	r := Reading{Says: string(res.Status), Done: res.Status == status.CurrentStatus, Why: x.why(res), Helps: x.helps()}
	return r
}

// why says by which of its few rules kstatus in cli-utils came to an answer.
func (x scenario) why(res *status.Result) string {
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
func (x scenario) nothing() string {
	if _, has := object(x.object, "status")["observedGeneration"]; has {
		return "its generation is observed, and there is no condition Ready"
	}
	return "there is neither an observedGeneration nor a condition Ready"
}

// helm reads an object as helm install --wait of Helm 4 does, which uses kstatus
// of cli-utils. Failed ends a wait with an error.
//
// Source: helm.sh/helm/v4/pkg/kube, statuswait.go.
func helm(x scenario) Reading { return byKstatus(x, "waits", "ends: installed") }

// flux reads an object as a Kustomization of Flux with wait or healthChecks
// does, which uses kstatus of cli-utils; spec.healthCheckExprs can replace it for
// a kind.
//
// Source: fluxcd.io/flux/components/kustomize/kustomizations, "Health checks".
func flux(x scenario) Reading { return byKstatus(x, "health check goes on", "health check passed") }

func byKstatus(x scenario, waits, done string) Reading {
	r := cliUtils(x)
	verdict := r.Says
	switch {
	case r.Done:
		r.Says = done
	case verdict == string(status.FailedStatus):
		r.Says = "ends: failed"
	default:
		r.Says = waits
	}
	r.Why = "kstatus says " + verdict + ": " + r.Why
	return r
}
