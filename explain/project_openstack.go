package explain

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// A cloudFailure is a class of failures of OpenStack. Package clusterapi/openstack/classify of kstatus has the
// reasons: https://kstatus.dev/docs/reference/openstack-failures
type cloudFailure struct {
	kind    string
	reasons []string
	// words are in the messages of the services, in lower case. The provider of Cluster API wraps all
	// failures in a few reasons, such as OpenStackError, and its messages quote the services:
	// https://github.com/kubernetes-sigs/cluster-api-provider-openstack/issues/2379
	words []string
	next  func(o *object) string
}

// The classes, from the most specific words to the most general ones.
var cloudFailures = []cloudFailure{
	{
		kind: "CloudCredentials", reasons: []string{"CredentialsInvalid", "CredentialsMissing", "Forbidden", "InvalidCACertificate", "OpenStackAuthenticationFailed"},
		words: []string{"requires authentication", "authentication failed", "unable to re-authenticate", "x509:", "clouds.yaml"}, next: identitySecret,
	},
	{
		kind: "CloudQuota", reasons: []string{"QuotaExceeded", "FloatingIPUnavailable"},
		words: []string{"quota exceeded", "quota_exceeded", "overquota", "exceeded quota", "no more ip addresses", "externalipaddressexhausted", "ipaddressgenerationfailure"},
		next:  func(*object) string { return kubectl.OpenStack("quota", "show", "--usage") },
	},
	{kind: "CloudCapacity", reasons: []string{"InsufficientCapacity"}, words: []string{"no valid host"}, next: serverFault},
	{
		kind: "CloudDependency", reasons: []string{"DependencyNotFound", "AmbiguousReference"},
		words: []string{"no image", "no flavor", "no network", "no subnet", "no security group", "no keypair", "invalid key_name", "could not be found", "no result found", "no results found", "unable to find", "multiple resources found", "more than one"},
		next:  dependencyList,
	},
	{
		kind: "CloudLoadBalancer", reasons: []string{"LoadBalancerError", "LoadBalancerMemberError"}, words: []string{"load balancer", "loadbalancer"},
		next: func(*object) string { return kubectl.OpenStack("loadbalancer", "list") },
	},
	{kind: "CloudServer", reasons: []string{"InstanceStateError", "InstanceDeleted", "InstanceNotFound", "InstanceNotReady"}, next: serverFault},
	{
		kind: "CloudUnavailable", reasons: []string{"RateLimited", "ServiceUnavailable", "EndpointUnreachable"},
		words: []string{"connection refused", "connection reset", "no such host", "i/o timeout", "deadline exceeded", "503 service unavailable", "but got 503", "but got 502", "but got 504", "but got 500", "but got 429", "too many requests"},
		next:  func(*object) string { return kubectl.OpenStack("catalog", "list") },
	},
}

// openStackFailed finds failures of the cloud in the conditions of a provider for OpenStack.
func openStackFailed(o *object) (all []finding) {
	if !strings.HasPrefix(o.ID.Kind.Kind, "OpenStack") || !strings.HasPrefix(o.ID.Group, "infrastructure.") {
		return nil
	}
	seen := map[string]bool{}
	for c := range o.Each("status.conditions") {
		c = o.conditionAt(strings.TrimSuffix(c.Path, "."))
		if is := c.Text("status"); is != "False" && is != "Unknown" || c.Text("type") == "Ready" {
			continue
		}
		class := cloudFailureOf(c.Text("reason"), c.Text("message"))
		if class == nil || seen[class.kind] {
			continue
		}
		seen[class.kind] = true
		f := finding{kind: class.kind, text: show.Line(c.Text("type")) + ": " + c.conditionText(), evidence: c.conditionEvidence()}
		if next := class.next(o); next != "" {
			f.next = []string{next}
		}
		all = append(all, f)
	}
	return all
}

// openStackUnresolved finds that the provider of Cluster API has not created a server, because it has
// not resolved what its spec names. Its controller writes no condition about that:
// https://github.com/kubernetes-sigs/cluster-api-provider-openstack/issues/2265
func openStackUnresolved(o *object) []finding {
	if o.ID.Kind.Kind != "OpenStackServer" || o.ID.Group != "infrastructure.cluster.x-k8s.io" || !o.Has("spec.image") ||
		o.Has("status.resolved") || o.Text("status.instanceID") != "" || o.Result.Status != "InProgress" {
		return nil
	}
	for range o.Each("status.conditions") {
		return nil // they say more
	}
	f := finding{kind: "CloudDependency", text: "no server is created: its image is not resolved", next: []string{kubectl.OpenStack("image", "list")}}
	for _, path := range [...]string{"spec.image.filter.name", "spec.image.id", "spec.image.imageRef.name"} {
		name := o.Text(path)
		if name == "" {
			continue
		}
		f.text = "no server is created: image " + show.Quoted(name) + " is not resolved, so it may not exist"
		f.evidence = append(f.evidence, o.evidence(path))
		f.next = []string{kubectl.OpenStack("image", "show", kubectl.Name(name))}
		if path == "spec.image.imageRef.name" {
			image := o.refer(status.Kind{Group: "openstack.k-orc.cloud", Kind: "Image"}, o.ID.Namespace, name)
			f.next = []string{commandFor(image, "describe", typedSlash(image))}
		}
		break
	}
	f.evidence = append(f.evidence, o.evidence("status.resolved"), o.evidence("status.instanceID"))
	return []finding{f}
}

// cloudFailureOf returns the class of a failure: by the reason of its condition, or else by what the
// services have answered.
func cloudFailureOf(reason, message string) *cloudFailure {
	byReason := slices.IndexFunc(cloudFailures, func(class cloudFailure) bool { return slices.Contains(class.reasons, reason) })
	found := byReason
	if found < 0 || isGeneric[reason] {
		message = strings.ToLower(message)
		found = slices.IndexFunc(cloudFailures, func(class cloudFailure) bool {
			return slices.ContainsFunc(class.words, func(w string) bool { return strings.Contains(message, w) })
		})
	}
	switch {
	case found >= 0:
		return &cloudFailures[found]
	case byReason >= 0:
		return &cloudFailures[byReason]
	}
	return nil
}

// isGeneric has the reasons whose messages may name a more specific class.
var isGeneric = map[string]bool{"InstanceStateError": true, "InstanceNotReady": true, "LoadBalancerMemberError": true}

// identitySecret returns the command that shows whether the Secret with the credentials exists.
func identitySecret(o *object) string {
	name := o.Text("spec.identityRef.name")
	if name == "" || o.Text("spec.identityRef.type") == "ClusterIdentity" {
		return commandFor(o.ID, "describe", typedSlash(o.ID))
	}
	return commandFor(o.ID, "describe", "secret", kubectl.Name(name)) // it prints sizes, not values
}

// serverFault returns the command that prints why a server has failed.
func serverFault(o *object) string {
	id := o.Text("status.instanceID")
	if id == "" {
		return commandFor(o.ID, "describe", typedSlash(o.ID))
	}
	return kubectl.OpenStack("server", "show", kubectl.Name(id), "-c", "status", "-c", "fault")
}

// dependencyList returns the command that lists what a spec may name.
func dependencyList(o *object) string {
	text := ""
	for c := range o.Each("status.conditions") {
		if c.Text("status") != "True" {
			text += strings.ToLower(c.Text("message"))
		}
	}
	for _, thing := range [...]struct {
		word    string
		command []kubectl.Word
	}{
		{"image", []kubectl.Word{"image", "list"}},
		{"flavor", []kubectl.Word{"flavor", "list"}},
		{"key", []kubectl.Word{"keypair", "list"}},
		{"server group", []kubectl.Word{"server", "group", "list"}},
		{"security group", []kubectl.Word{"security", "group", "list"}},
		{"subnet", []kubectl.Word{"subnet", "list"}},
		{"router", []kubectl.Word{"router", "list"}},
		{"network", []kubectl.Word{"network", "list"}},
	} {
		if strings.Contains(text, thing.word) {
			return kubectl.OpenStack(thing.command...)
		}
	}
	return commandFor(o.ID, "describe", typedSlash(o.ID))
}
