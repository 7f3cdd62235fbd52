package naive

import (
	"fmt"
	"slices"
	"time"
)

// A Mistake is a common mistake of controller authors.
type Mistake struct {
	Name string
	Rule string // the rule that it breaks
	// status changes the status of a pass, if the whole mistake is in the status; otherwise
	// controller.go makes it.
	status func(*pass, map[string]any)
}

// Mistakes are all mistakes.
var Mistakes = []Mistake{
	// The generation is 1 at first, 2 with the providerID, and grows with each change by a
	// user.
	{"generation-of-the-last-pass", "W-01", func(p *pass, s map[string]any) {
		if p.generation() == 3 { // as if a cache had returned the old object
			s["observedGeneration"] = int64(1)
		}
	}},
	{"generation-is-counted", "W-02", func(p *pass, s map[string]any) { s["observedGeneration"] = p.generation() + 1 }},
	{"condition-of-the-next-generation", "W-03", func(p *pass, s map[string]any) { p.each(s, "observedGeneration", p.generation()+1) }},
	{"no-generation", "W-05", func(_ *pass, s map[string]any) {
		delete(s, "observedGeneration")
		for _, c := range list(s) {
			delete(c, "observedGeneration")
		}
	}},
	{"generation-first", "W-04", nil},
	{"two-writes", "W-08", nil},
	{"no-reason", "W-09", func(p *pass, s map[string]any) { p.each(s, "reason", "") }},
	{"status-in-lower-case", "W-10", func(p *pass, s map[string]any) { p.set(s, "ServerReady", "true") }},
	{"appended-again", "W-11", func(_ *pass, s map[string]any) {
		all, _ := s["conditions"].([]any)
		s["conditions"] = append(all, clone(find(s, "ServerReady")))
	}},
	{"now-on-every-pass", "W-12", func(p *pass, s map[string]any) { p.each(s, "lastTransitionTime", nowText()) }},
	{"first-time-for-ever", "W-13", func(p *pass, s map[string]any) { p.each(s, "lastTransitionTime", p.created()) }},
	{"no-time", "W-14", func(p *pass, s map[string]any) { p.each(s, "lastTransitionTime", "1970-01-01T00:00:00Z") }},
	{"not-ready-while-looking", "W-15", nil},
	{"conditions-one-by-one", "W-17", func(p *pass, s map[string]any) {
		if p.generation() < 3 {
			drop(s, "Ready")
		}
	}},
	{"condition-is-removed", "W-18", func(p *pass, s map[string]any) {
		if p.generation() > 2 {
			drop(s, "ServerReady")
		}
	}},
	{"provisioned-is-taken-back", "W-19", func(p *pass, s map[string]any) {
		if p.generation() == 3 {
			delete(s, "initialization")
		}
	}},
	{"works-while-paused", "W-20", nil},
	{"silent-about-the-pause", "W-21", nil},
	{"stays-paused", "W-22", nil},
	{"touches-what-others-manage", "W-23", nil},
	{"writes-what-is-there", "W-26", nil},
	{"message-with-the-time", "W-27", func(p *pass, s map[string]any) {
		find(s, "ServerReady")["message"] = "looked at the server at " + p.now().Format(time.RFC3339Nano)
		p.again = p.again || p.passes < maxRepeats
	}},
	{"order-of-a-map", "W-28", func(p *pass, s map[string]any) {
		if all, _ := s["conditions"].([]any); min(p.passes, maxRepeats)%2 == 0 {
			slices.Reverse(all)
		}
		p.again = p.again || p.passes < maxRepeats
	}},
	{"last-sync-time", "W-29", func(p *pass, s map[string]any) {
		s["lastSync"] = p.now().UTC().Format(time.RFC3339Nano)
		p.again = p.again || p.passes < maxRepeats
	}},
	{"reason-of-the-moment", "W-30", func(p *pass, s map[string]any) {
		find(s, "ServerReady")["reason"] = []string{"Running", "Looking"}[min(p.passes, maxRepeats)%2]
		p.again = p.again || p.passes < maxRepeats
	}},
	{"drops-what-others-say", "W-32", nil},
	{"ready-to-the-end", "W-33", nil},
	{"silent-to-the-end", "W-34", nil},
	{"finalizer-afterwards", "W-36", nil},
	{"ready-although-a-part-is-not", "W-37", func(p *pass, s map[string]any) {
		if p.active {
			p.set(s, "ServerReady", "False")
		}
	}},
	{"another-name-each-time", "W-38", nil},
	{"provisioned-without-a-name", "W-39", nil},
	{"two-flags", "W-40", func(_ *pass, s map[string]any) { s["ready"] = false }},
	{"defaults-in-the-spec", "W-42", nil},
	{"failure-fields", "W-44", func(_ *pass, s map[string]any) { s["failureReason"] = "CreateError" }},
	{"unknown-for-ever", "W-45", func(p *pass, s map[string]any) {
		p.set(s, "ServerReady", "Unknown")
		find(s, "ServerReady")["reason"] = "NotYetLookedAt"
	}},
	{"reconciling-and-ready", "W-46", func(p *pass, s map[string]any) {
		all, _ := s["conditions"].([]any)
		s["conditions"] = append(all, p.condition("Reconciling", "True", "Polling", ""))
	}},
	{"owner-is-lost", "W-52", nil},
	{"password-in-the-message", "W-53", func(_ *pass, s map[string]any) {
		find(s, "ServerReady")["message"] = "logged in with password=" + fmt.Sprint("s3cr3t-", "hunter2")
	}},
}

// maxRepeats is the number of passes for mistakes that would otherwise never end.
const maxRepeats = 24

// now returns the time; after maxRepeats passes it is constant.
func (p *pass) now() time.Time {
	if p.passes > maxRepeats {
		return p.obj.GetCreationTimestamp().Time
	}
	return time.Now()
}

// contractMistakes are the mistakes that break the contract of providers. They apply to objects
// without the annotation.
var contractMistakes = []string{"no-owner", "works-while-paused", "touches-what-others-manage", "finalizer-afterwards",
	"provisioned-before-the-name", "lets-go-too-early", "identity-in-the-status", "no-generation", "blocks-moves-for-ever"}

// clusterMistakes are mistakes about the pause of the Cluster. With them, the provider reads it.
var clusterMistakes = []string{"keeps-its-acknowledgement", "works-in-the-background"}

// list returns the conditions of a status.
func list(s map[string]any) (all []map[string]any) {
	items, _ := s["conditions"].([]any)
	for _, item := range items {
		if c, ok := item.(map[string]any); ok {
			all = append(all, c)
		}
	}
	return all
}

// find returns a condition of a status, or an empty one if it is missing.
func find(s map[string]any, typ string) map[string]any {
	for _, c := range list(s) {
		if c["type"] == typ {
			return c
		}
	}
	return map[string]any{}
}

// set sets the status of a condition, with the matching transition time.
func (p *pass) set(s map[string]any, typ, status string) {
	c := find(s, typ)
	for k, v := range p.condition(typ, status, c["reason"].(string), "") {
		c[k] = v
	}
}

// drop removes a condition.
func drop(s map[string]any, typ string) {
	all, _ := s["conditions"].([]any)
	s["conditions"] = slices.DeleteFunc(all, func(item any) bool {
		c, _ := item.(map[string]any)
		return c["type"] == typ
	})
}

func nowText() string { return time.Now().UTC().Format(time.RFC3339) }
