package writes

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/author/audit"
	"kstatus.dev/internal/decoded"
)

// An event holds the fields of an audit.k8s.io Event that are used.
type event struct {
	Kind, Stage, AuditID, RequestURI, Verb, UserAgent string
	User, ImpersonatedUser                            struct{ Username string }
	ObjectRef                                         *struct{ Resource, Namespace, Name, UID, APIGroup, APIVersion, Subresource string }
	ResponseStatus                                    struct{ Code int }
	ResponseObject                                    json.RawMessage
	StageTimestamp                                    time.Time
	Items                                             []json.RawMessage // of an EventList
}

// An auditLog converts the requests of an audit log to writes.
type auditLog struct {
	filter        filter
	names         *kindNames
	report        func(audit.Write)
	withoutObject int // number of requests that were logged without the response object
}

func (l *auditLog) parse(value []byte) (parserState, error) {
	var e event
	if err := json.Unmarshal(value, &e); err != nil {
		return nil, err
	}
	switch e.Kind {
	case "EventList":
		for i, item := range e.Items {
			var one event
			if err := json.Unmarshal(item, &one); err != nil {
				return nil, fmt.Errorf("items[%d]: %w", i, err)
			}
			if err := l.event(one); err != nil {
				return nil, fmt.Errorf("items[%d]: %w", i, err)
			}
		}
		return l.parse, nil
	case "Event":
		return l.parse, l.event(e)
	}
	return nil, fmt.Errorf("kind: want Event or EventList, have %q", e.Kind)
}

// writeVerbs are the verbs of requests that write an object.
var writeVerbs = []string{"create", "update", "patch", "delete"}

func (l *auditLog) event(e event) error {
	if e.Stage != "ResponseComplete" || e.ObjectRef == nil || !slices.Contains(writeVerbs, e.Verb) {
		return nil
	}
	at := address{
		resource:  schema.GroupVersionResource{Group: e.ObjectRef.APIGroup, Version: e.ObjectRef.APIVersion, Resource: e.ObjectRef.Resource},
		namespace: e.ObjectRef.Namespace, name: e.ObjectRef.Name, subresource: e.ObjectRef.Subresource,
	}
	query := queryOf(e.RequestURI)
	if !l.filter.matches(at) || slices.Contains(query["dryRun"], "All") {
		return nil
	}
	if e.StageTimestamp.IsZero() {
		return errors.New("stageTimestamp: want a time, have none")
	}
	a := answer{address: at, request: audit.Request{ID: e.AuditID, Verb: e.Verb, Subresource: at.subresource, User: e.User.Username, Agent: e.UserAgent, Code: e.ResponseStatus.Code}}
	if e.ImpersonatedUser.Username != "" {
		a.request.User = e.ImpersonatedUser.Username
	}
	if e.Verb == "patch" && query.Has("force") { // only server-side apply has this parameter
		a.request.Verb = "apply"
	}
	if len(e.ResponseObject) > 0 {
		if err := kjson.Unmarshal(e.ResponseObject, &a.body); err != nil {
			return fmt.Errorf("responseObject: %w", err)
		}
	}
	w, ok := a.write(l.names)
	if !ok {
		l.withoutObject++
		return nil
	}
	w.Time = e.StageTimestamp.UTC()
	if uid := e.ObjectRef.UID; uid != "" && decoded.Text(w.Object, "metadata", "uid") == "" {
		decoded.Map(w.Object, "metadata")["uid"] = uid
	}
	l.report(w)
	return nil
}

func queryOf(uri string) url.Values {
	u, err := url.Parse(uri)
	if err != nil {
		return nil
	}
	return u.Query()
}
