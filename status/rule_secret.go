package status

// A Secret is Current when the API server has accepted it. A Secret of type
// kubernetes.io/service-account-token waits until its controller has added the
// token. The rule reads only whether the token exists, never its value.
func secret(o *Fields) Result {
	if o.Text("type", "") != "kubernetes.io/service-account-token" {
		return noStatus(o)
	}
	// Not with Fields.HasKey: if data is no map, its message would contain the value.
	data, ok := o.get("data").(map[string]any)
	if !ok && o.get("data") != nil {
		o.Warn("data is not a map")
	}
	has := data["token"] != nil
	o.recordRead("data[token]", has)
	if !has {
		return InProgress("NotObserved", "its controller has not added the token yet")
	}
	return Current("Reconciled", "it has its token")
}
