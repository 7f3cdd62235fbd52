package status

// A Secret is current as soon as the API server has accepted it. One of type
// kubernetes.io/service-account-token waits until its controller has put the
// token in. Only whether there is a token is looked at, never what it is.
func secret(o *Fields) Result {
	if o.Text("type", "") != "kubernetes.io/service-account-token" {
		return noStatus(o)
	}
	// Not by Fields.HasKey: where data is no map, its complaint would show the value.
	data, ok := o.get("data").(map[string]any)
	if !ok && o.get("data") != nil {
		o.Warn("data is not a map")
	}
	has := data["token"] != nil
	o.saw("data[token]", has)
	if !has {
		return InProgress("NotObserved", "its controller has not put a token in yet")
	}
	return Current("Reconciled", "its token is there")
}
