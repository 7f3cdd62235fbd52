package lint

// argoCD reads an object like Argo CD without a health check for the kind. Such an object has no
// health, and its Application is Healthy whatever its status reports.
//
// Source: argo-cd.readthedocs.io, operator manual, "Resource Health", and argoproj/argo-cd#1383.
func argoCD(x scenarioObject) ToolVerdict {
	return ToolVerdict{Output: "Healthy", Done: true,
		Why:    "assuming no health check for the kind, its status does not count",
		Advice: "a health check in Lua for the kind, in argocd-cm or contributed to Argo CD"}
}
