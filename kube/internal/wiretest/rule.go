package wiretest

import (
	"net/http"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
)

// A Rule changes the answers to some requests.
type Rule struct {
	Match Match
	Times int // how many requests it answers; 0: all
	Reply Reply
}

// A Match says which requests a rule answers: those that have every field that is set.
type Match struct {
	Verbs     []string
	Resource  string
	Namespace string
	Name      string
	Path      string // of a request that is not about objects
	Wide      bool   // for the objects of all namespaces
	Unnamed   bool   // for more than one object
	Streamed  bool   // a watch that begins with a list
	Continued bool   // a page after the first
}

// A Reply is what a rule answers. Fields that are not set leave the answer of
// the server as it is.
type Reply struct {
	Delay      time.Duration       // before the request is executed, unless its own timeout is shorter
	Code       int                 // an error
	Reason     metav1.StatusReason // of the error
	RetryAfter int                 // seconds, of the error
	Body       string              // JSON
	Events     []Event             // what a watch sends at first, instead of objects
	Bytes      int                 // after how many bytes End comes, except for a watch
	End        End                 // how the answer ends; that of a watch after Events
}

// An Event is one event of a watch. Without an object it has a Status with this
// code, or is a bookmark at this version.
type Event struct {
	Type    watch.EventType
	Object  *unstructured.Unstructured
	Code    int
	Reason  metav1.StatusReason
	Version string

	RetryAfter int // seconds, of the Status
}

// An End is how an answer ends.
type End int

const (
	Complete End = iota // as the server ends it; a watch goes on
	Close               // in good order
	Cut                 // the connection ends in the middle of something
	Hang                // nothing more comes, and the connection stays open
)

func (m Match) matches(r Request) bool {
	switch {
	case len(m.Verbs) > 0 && !slices.Contains(m.Verbs, r.Verb),
		m.Resource != "" && m.Resource != r.Resource,
		m.Namespace != "" && m.Namespace != r.Namespace,
		m.Name != "" && m.Name != r.Name,
		m.Path != "" && m.Path != r.Path,
		m.Wide && r.Namespace != "",
		m.Unnamed && r.Name != "",
		m.Streamed && !r.Streamed,
		m.Continued && r.Continue == "":
		return false
	}
	return true
}

// Forbidden is the answer to a request that RBAC does not permit.
var Forbidden = Reply{Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden}

// Expired is the answer to a request that needs history that the server has lost.
var Expired = Reply{Code: http.StatusGone, Reason: metav1.StatusReasonExpired}

// On adds a rule. The rule added last applies first. It returns a function that
// removes the rule.
func (s *Server) On(rule Rule) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	added := &activeRule{Rule: rule, left: rule.Times}
	s.rules = append(s.rules, added)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.rules = slices.DeleteFunc(s.rules, func(r *activeRule) bool { return r == added })
	}
}

// An activeRule is a rule with the number of requests that are left to it.
type activeRule struct {
	Rule
	left int
}

// reply returns what the rules say about a request.
func (s *Server) reply(r Request) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.replyTo(r, true)
}

// replyTo returns what the rules say about a request. If it is a real one, it counts. The caller
// holds mu.
func (s *Server) replyTo(r Request, counts bool) Reply {
	for _, rule := range slices.Backward(s.rules) {
		if !rule.Match.matches(r) || rule.Times > 0 && rule.left == 0 {
			continue
		}
		if counts {
			rule.left--
		}
		return rule.Reply
	}
	return Reply{}
}
