package explain

import (
	"cmp"
	"strings"

	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// notCreatedBy finds why a controller cannot create its Pods, Jobs or claims. The error
// of the API server is in its condition ReplicaFailure, or in its latest FailedCreate
// event if it has not succeeded since.
func notCreatedBy(o *object) []finding {
	message, quote, ok := o.refusal()
	if known, _ := parseAPIError(statement{text: message}); !ok || known.kind != "" || expiredWords.MatchString(message) {
		return nil // apiErrors or certificateError explains it
	}
	f := finding{kind: "FailedCreate", evidence: []Evidence{quote}}
	f.weak = o.ID.Kind == deployment && quote.From == OriginStatus // the ReplicaSet has the same error
	o.addDenial(&f, message)
	return []finding{f}
}

// The reasons of events that report a failed creation.
var createFailures = []string{"FailedCreate", "ReplicaSetCreateError"}

// refusal returns the error of the API server when a controller could not create an
// object, and its evidence.
func (o *object) refusal() (message string, quote Evidence, ok bool) {
	created, _ := o.lastEvent("SuccessfulCreate")
	if e, failed := o.lastEvent(createFailures...); failed && e.Type != "Normal" && !created.Last.After(e.Last) {
		message, quote, ok = messages.Head(e.Message), o.eventEvidence(e), true
	}
	c := o.Under("status.conditions[ReplicaFailure]")
	if c.Text("status") == "True" && c.Has("message") && (!ok || !o.hasTooFewParts()) {
		return messages.Head(c.Text("message")), c.evidence("message"), true
	}
	return message, quote, ok && o.hasTooFewParts()
}

// hasTooFewParts reports whether the status of a controller shows fewer parts than the spec.
func (o *object) hasTooFewParts() bool {
	switch o.ID.Kind {
	case daemonSet:
		return o.Int("status.currentNumberScheduled", 0) < o.Int("status.desiredNumberScheduled", 1)
	case job:
		return o.Int("status.active", 0) < o.Int("spec.parallelism", 1)
	case cronJob:
		return true
	}
	return o.Int("status.replicas", 0) < o.Int("spec.replicas", 1)
}

// An admissionPattern is a text in the error of an API server that rejects an object, and
// its meaning.
type admissionPattern struct {
	mark string
	add  func(n *object, f *finding, message string)
}

// The reasons for a rejection. The text that comes first in a message decides: after it
// may be text of a webhook or a policy, which may have any words.
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
		f.kind, f.text = "AdmissionDenied", "no SecurityContextConstraints allow the Pod"
	}},
}

// addDenial explains a rejected request as precisely as the message allows.
func (o *object) addDenial(f *finding, message string) {
	at, which := len(message), admissionPattern{}
	for _, d := range admissionPatterns {
		if i := strings.Index(message, d.mark); i >= 0 && i < at {
			at, which = i, d
		}
	}
	f.next = append(f.next, commandFor(o.ID, "describe", slash(o.ID)))
	switch {
	case which.add != nil:
		which.add(o, f, message[max(0, at-60):])
	case strings.Contains(message, "is forbidden: "):
		f.kind, f.text = "AdmissionDenied", "the API server forbids the request: "+messages.After(message, "is forbidden: ")
	default:
		_, why, ok := strings.Cut(message, " failed error: ") // for a StatefulSet
		if !ok {
			why = strings.TrimPrefix(strings.TrimPrefix(message, "(combined from similar events): "), "Error creating: ")
		}
		f.text = "creating an object for it fails: " + why
	}
}

// quotaExceeded explains which quota is used up, and for which resources:
//
//	exceeded quota: NAME, requested: pods=1, used: pods=10, limited: pods=10
func quotaExceeded(o *object, f *finding, message string) {
	name, rest, _ := strings.Cut(messages.After(message, "exceeded quota: "), ", requested: ")
	requested, rest, _ := strings.Cut(rest, ", used: ")
	used, limited, _ := strings.Cut(rest, ", limited: ")
	f.kind, f.text = "QuotaExceeded", "ResourceQuota "+show.Line(name)+" is exceeded: requested "+requested
	if limited != "" {
		f.text += ", used " + used + ", limited to " + limited
	}
	quota := o.refer(quota, o.ID.Namespace, name)
	f.next = []string{commandFor(quota, "describe", slash(quota))}
	f.key = quota.String() + " " + limited
}

// quotaUnmet explains which requests or limits a quota requires of each container:
//
//	failed quota: NAME: must specify limits.cpu for: api
func quotaUnmet(o *object, f *finding, message string) {
	name, rest, _ := strings.Cut(messages.After(message, "failed quota: "), ": ")
	demands := strings.ReplaceAll(strings.TrimPrefix(rest, "must specify "), " for: ", " for container ")
	f.kind, f.text = "QuotaUnmet", "ResourceQuota "+show.Line(name)+" requires "+demands
	quota := o.refer(quota, o.ID.Namespace, name)
	f.next = []string{commandFor(quota, "describe", slash(quota))}
}

func podSecurity(o *object, f *finding, message string) {
	level, _ := messages.Between(message, `violates PodSecurity "`, `"`)
	f.kind = "PodSecurity"
	f.text = "the Pod violates PodSecurity " + show.Quoted(level) + " of its namespace: " + messages.After(message, `": `)
	f.next = append(f.next, commandForAll(o.ID, "get", "namespace", kubectl.Label(o.ID.Namespace), "--show-labels"))
}

func policyDenied(o *object, f *finding, message string) {
	name, _ := messages.Between(message, "olicy '", "'")
	f.kind, f.text = "PolicyDenied", "admission policy "+show.Quoted(name)+" denies the request: "+messages.After(message, "denied request: ")
	f.next = append(f.next, commandForAll(o.ID, "get", "validatingadmissionpolicies", kubectl.Name(name), "-o", "yaml"))
}

func webhookDenied(_ *object, f *finding, message string) {
	name := messages.QuotedAfter(message, `admission webhook "`)
	f.kind, f.text = "WebhookDenied", "admission webhook "+show.Quoted(name)+" denies the request"
	if _, why, ok := strings.Cut(message, "denied the request: "); ok {
		f.text += ": " + why
	}
}

func limitRange(o *object, f *finding, message string) {
	why := message
	if _, rest, ok := strings.Cut(message, "is forbidden: "); ok {
		why = rest
	}
	f.kind, f.text = "LimitRange", "a LimitRange of its namespace denies the request: "+why
	f.next = []string{commandFor(o.ID, "describe", "limitranges")}
}

func invalidTemplate(_ *object, f *finding, message string) {
	f.kind, f.text = "InvalidTemplate", "an object that it creates is invalid: "+messages.After(message, " is invalid: ")
}

// denialRef returns the missing object that an error names, and the field of a template
// that refers to it.
func denialRef(of status.ID, message string) (id status.ID, path string) {
	switch {
	case strings.Contains(message, "error looking up service account "):
		name := cmp.Or(messages.QuotedAfter(message, `serviceaccount "`), messages.QuotedAfter(message, `serviceaccounts "`))
		id, path = status.ID{Kind: status.Kind{Kind: "ServiceAccount"}, Namespace: of.Namespace, Name: name}, "serviceAccountName"
	case strings.Contains(message, "no PriorityClass with name "):
		name, _, _ := strings.Cut(messages.After(message, "no PriorityClass with name "), " ")
		id, path = status.ID{Kind: status.Kind{Group: "scheduling.k8s.io", Kind: "PriorityClass"}, Name: name}, "priorityClassName"
	case strings.Contains(message, `RuntimeClass "`):
		id, path = status.ID{Kind: status.Kind{Group: "node.k8s.io", Kind: "RuntimeClass"}, Name: messages.QuotedAfter(message, `RuntimeClass "`)}, "runtimeClassName"
	}
	id.Cluster = of.Cluster
	return id, path
}

// createRefs returns the missing object without which a controller cannot create its
// parts.
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

// template returns the path of the Pod spec in an object that creates Pods.
func (o *object) template() string {
	if o.ID.Kind == cronJob {
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
	f.kind, f.text = "AdmissionDenied", "the API server forbids the request: "+cmp.Or(messages.After(message, "is forbidden: "), message)
}

// requiredMissing explains that a required object does not exist, so the controller
// cannot create its parts.
func (o *object) requiredMissing(f *finding, message string) {
	id, path := denialRef(o.ID, message)
	if id.Name == "" {
		f.kind, f.text = "AdmissionDenied", "the API server forbids the request: "+cmp.Or(messages.After(message, "is forbidden: "), message)
		return
	}
	f.kind, f.text = "ReferenceMissing", kindAndName(id)+" not found"
	f.evidence = append(f.evidence, o.evidence(o.template()+path))
	o.addLookup(f, id)
	f.next = []string{commandFor(id, "get", slash(id))}
}
