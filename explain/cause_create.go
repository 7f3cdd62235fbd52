package explain

import (
	"cmp"
	"strings"

	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
)

// notCreatedBy tells why a controller cannot create its Pods, or its Jobs or
// claims: what the API server has answered stands in its condition
// ReplicaFailure or in its latest event FailedCreate, unless it has succeeded since.
func notCreatedBy(o *object) []finding {
	message, quote, ok := o.refusal()
	if known, _ := parseAPIError(statement{text: message}); !ok || known.kind != "" || expiredWords.MatchString(message) {
		return nil // which is told of objects of any kind
	}
	f := finding{kind: "FailedCreate", evidence: []Evidence{quote}}
	f.weak = o.ID.GroupKind() == deployment && quote.From == OriginStatus // which repeats what its ReplicaSet says
	o.addDenial(&f, message)
	return []finding{f}
}

// The reasons of events that tell that something could not be created.
var createFailures = []string{"FailedCreate", "ReplicaSetCreateError"}

// refusal returns what an API server has answered to a controller that tried to
// create something.
func (o *object) refusal() (message string, quote Evidence, ok bool) {
	created, _ := o.lastEvent("SuccessfulCreate")
	if e, failed := o.lastEvent(createFailures...); failed && e.Type != "Normal" && !created.Last.After(e.Last) {
		message, quote, ok = messages.Head(e.Message), o.eventEvidence(e), true
	}
	c := o.Under("status.conditions[ReplicaFailure]")
	if c.Text("status") == "True" && c.Has("message") && (!ok || !o.lacksParts()) {
		return messages.Head(c.Text("message")), c.evidence("message"), true
	}
	return message, quote, ok && o.lacksParts()
}

// lacksParts reports whether a controller has fewer parts than it should have, by
// its status.
func (o *object) lacksParts() bool {
	switch o.ID.GroupKind() {
	case daemonSet:
		return o.Int("status.currentNumberScheduled", 0) < o.Int("status.desiredNumberScheduled", 1)
	case job:
		return o.Int("status.active", 0) < o.Int("spec.parallelism", 1)
	case cronJob:
		return true
	}
	return o.Int("status.replicas", 0) < o.Int("spec.replicas", 1)
}

// An admissionPattern is a mark in messages of an API server that refuses to create
// something, and what the refusal means.
type admissionPattern struct {
	mark string
	add  func(n *object, f *finding, message string)
}

// The denials. Whichever mark stands first in a message decides: what follows it
// may be the words of a webhook or a policy, which may say anything.
var admissionPatterns = []admissionPattern{
	{"exceeded quota: ", quotaExceeded},
	{"failed quota: ", quotaUnmet},
	{"violates PodSecurity ", podSecurity},
	{"ValidatingAdmissionPolicy '", policyDenied},
	{"policy '", policyDenied},
	{"admission webhook \"", webhookDenied},
	{"error looking up service account ", accountMissing},
	{"no PriorityClass with name ", priorityMissing},
	{"RuntimeClass \"", runtimeMissing},
	{" usage per ", limitRange},
	{" max limit to request ratio per ", limitRange},
	{" is invalid: ", invalidTemplate},
	{"unable to validate against any security context constraint", func(_ *object, f *finding, message string) {
		f.kind, f.text = "AdmissionDenied", "no security context constraint allows it"
	}},
}

// addDenial adds what a refusal means, as precisely as its words allow.
func (o *object) addDenial(f *finding, message string) {
	at, which := len(message), admissionPattern{}
	for _, d := range admissionPatterns {
		if i := strings.Index(message, d.mark); i >= 0 && i < at {
			at, which = i, d
		}
	}
	f.next = append(f.next, o.ID.kubectl("describe", o.ID.slash()))
	switch {
	case which.add != nil:
		which.add(o, f, message[max(0, at-60):])
	case strings.Contains(message, "is forbidden: "):
		f.kind, f.text = "AdmissionDenied", "it may not be created: "+messages.After(message, "is forbidden: ")
	default:
		_, why, ok := strings.Cut(message, " failed error: ") // of a StatefulSet
		if !ok {
			why = strings.TrimPrefix(strings.TrimPrefix(message, "(combined from similar events): "), "Error creating: ")
		}
		f.text = "it cannot be created: " + why
	}
}

// quotaExceeded tells which quota has no room left, and how much of what:
//
//	exceeded quota: NAME, requested: pods=1, used: pods=10, limited: pods=10
func quotaExceeded(o *object, f *finding, message string) {
	name, rest, _ := strings.Cut(messages.After(message, "exceeded quota: "), ", requested: ")
	requested, rest, _ := strings.Cut(rest, ", used: ")
	used, limited, _ := strings.Cut(rest, ", limited: ")
	f.kind, f.text = "QuotaExceeded", "quota "+show.Line(name)+" is exceeded: requested "+requested
	if limited != "" {
		f.text += ", used " + used + ", limited to " + limited
	}
	quota := ID{Cluster: o.ID.Cluster, Kind: "ResourceQuota", Namespace: o.ID.Namespace, Name: name}
	f.next = []string{quota.kubectl("describe", quota.slash())}
	f.key = quota.String() + " " + limited
}

// quotaUnmet tells what a quota asks each container to say:
//
//	failed quota: NAME: must specify limits.cpu for: api
func quotaUnmet(o *object, f *finding, message string) {
	name, rest, _ := strings.Cut(messages.After(message, "failed quota: "), ": ")
	demands := strings.ReplaceAll(strings.TrimPrefix(rest, "must specify "), " for: ", " for container ")
	f.kind, f.text = "QuotaUnmet", "ResourceQuota "+show.Line(name)+" demands "+demands
	quota := ID{Cluster: o.ID.Cluster, Kind: "ResourceQuota", Namespace: o.ID.Namespace, Name: name}
	f.next = []string{quota.kubectl("describe", quota.slash())}
}

func podSecurity(o *object, f *finding, message string) {
	level, _ := messages.Between(message, `violates PodSecurity "`, `"`)
	f.kind = "PodSecurity"
	f.text = "it violates Pod security " + show.Quoted(level) + " of its namespace: " + messages.After(message, `": `)
	f.next = append(f.next, o.ID.kubectlAll("get", "namespace", kubectl.Label(o.ID.Namespace), "--show-labels"))
}

func policyDenied(o *object, f *finding, message string) {
	name, _ := messages.Between(message, "olicy '", "'")
	f.kind, f.text = "PolicyDenied", "admission policy "+show.Quoted(name)+" denies it: "+messages.After(message, "denied request: ")
	f.next = append(f.next, o.ID.kubectlAll("get", "validatingadmissionpolicies", kubectl.Name(name), "-o", "yaml"))
}

func webhookDenied(_ *object, f *finding, message string) {
	name := messages.QuotedAfter(message, `admission webhook "`)
	f.kind, f.text = "WebhookDenied", "admission webhook "+show.Quoted(name)+" denies it"
	if _, why, ok := strings.Cut(message, "denied the request: "); ok {
		f.text += ": " + why
	}
}

func limitRange(o *object, f *finding, message string) {
	why := message
	if _, rest, ok := strings.Cut(message, "is forbidden: "); ok {
		why = rest
	}
	f.kind, f.text = "LimitRange", "it is outside of a LimitRange: "+why
	f.next = []string{o.ID.kubectl("describe", "limitranges")}
}

func invalidTemplate(_ *object, f *finding, message string) {
	f.kind, f.text = "InvalidTemplate", "what it makes is not valid: "+messages.After(message, " is invalid: ")
}

// denialRef returns what a refusal says is missing, and which field of a
// template names it.
func denialRef(of ID, message string) (id ID, path string) {
	switch {
	case strings.Contains(message, "error looking up service account "):
		name := cmp.Or(messages.QuotedAfter(message, `serviceaccount "`), messages.QuotedAfter(message, `serviceaccounts "`))
		id, path = ID{Kind: "ServiceAccount", Namespace: of.Namespace, Name: name}, "serviceAccountName"
	case strings.Contains(message, "no PriorityClass with name "):
		name, _, _ := strings.Cut(messages.After(message, "no PriorityClass with name "), " ")
		id, path = ID{Group: "scheduling.k8s.io", Kind: "PriorityClass", Name: name}, "priorityClassName"
	case strings.Contains(message, `RuntimeClass "`):
		id, path = ID{Group: "node.k8s.io", Kind: "RuntimeClass", Name: messages.QuotedAfter(message, `RuntimeClass "`)}, "runtimeClassName"
	}
	id.Cluster = of.Cluster
	return id, path
}

// createRefs is what the parts of a controller need that cannot be created
// without it.
func createRefs(o *object) []objectRef {
	message, _, ok := o.refusal()
	if !ok {
		return nil
	}
	if id, path := denialRef(o.ID, message); id.Name != "" {
		return []objectRef{{Path: o.template() + path, ID: id}}
	}
	return nil
}

// template returns where the spec of the Pods stands that an object makes.
func (o *object) template() string {
	if o.ID.GroupKind() == cronJob {
		return "spec.jobTemplate.spec.template.spec."
	}
	return "spec.template.spec."
}

func accountMissing(o *object, f *finding, message string)  { o.requiredMissing(f, message) }
func priorityMissing(o *object, f *finding, message string) { o.requiredMissing(f, message) }

func runtimeMissing(o *object, f *finding, message string) {
	if strings.Contains(message, "not found") {
		o.requiredMissing(f, message)
		return
	}
	f.kind, f.text = "AdmissionDenied", "it may not be created: "+cmp.Or(messages.After(message, "is forbidden: "), message)
}

// requiredMissing adds that an object does not exist without which nothing is
// created.
func (o *object) requiredMissing(f *finding, message string) {
	id, path := denialRef(o.ID, message)
	if id.Name == "" {
		f.kind, f.text = "AdmissionDenied", "it may not be created: "+cmp.Or(messages.After(message, "is forbidden: "), message)
		return
	}
	f.kind, f.text = "ReferenceMissing", kindAndName(id)+" not found"
	f.evidence = append(f.evidence, o.evidence(o.template()+path))
	o.addLookup(f, id)
	f.next = []string{id.kubectl("get", id.slash())}
}
