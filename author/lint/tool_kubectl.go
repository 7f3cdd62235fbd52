package lint

import (
	"strings"

	"kstatus.dev/internal/decoded"
)

// kubectlWait reads an object like kubectl wait --for=condition. The first condition of that
// type counts, unless its observedGeneration, or else that of the status, is behind the
// generation of the object. A missing condition is not met.
//
// Source: k8s.io/kubectl/pkg/cmd/wait, condition.go (kubernetes/kubernetes#97408).
func kubectlWait(x scenarioObject) ToolVerdict {
	says := "waits for condition=" + x.summary
	c := x.conditionOf(x.summary)
	if c == nil {
		why := "the object has no condition " + x.summary
		if x.version.Status().Property("conditions").Type() != "array" {
			why = "the kind has no conditions, so it waits until its timeout"
		}
		return ToolVerdict{Output: says, Why: why, Advice: x.advice()}
	}
	generation, _ := number(decoded.At(x.object, "metadata", "generation"))
	seen, there := number(c["observedGeneration"])
	from := "its observedGeneration"
	if !there {
		seen, there = number(decoded.At(x.object, "status", "observedGeneration"))
		from = "status.observedGeneration"
	}
	if there && seen < generation {
		return ToolVerdict{Output: says, Why: from + " is behind the generation", Advice: x.advice()}
	}
	if strings.EqualFold(decoded.Text(c, "status"), "True") {
		why := x.summary + " is True"
		if !there {
			why += ", without a generation"
		}
		return ToolVerdict{Output: "condition met", Done: true, Why: why, Advice: "observedGeneration in each condition (L-16), or in the status (L-03)"}
	}
	return ToolVerdict{Output: says, Why: x.summary + " is " + decoded.Text(c, "status"), Advice: x.advice()}
}
