package least

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// AuditPolicy makes the API server log the requests of service accounts, except those of
// Kubernetes' own controllers.
const AuditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  userGroups: ["system:serviceaccounts:kube-system"]
- level: Metadata
  userGroups: ["system:serviceaccounts"]
- level: None
`

// An event is a line of an audit log.
type event struct {
	AuditID, Verb, RequestURI string
	User                      struct{ Username string }
	ObjectRef                 *struct{ Resource, Subresource, Namespace, Name, APIGroup string }
	ResponseStatus            struct{ Code int }
	Annotations               map[string]string
}

// A Summary counts the users' requests in an audit log.
type Summary struct {
	Lines    int // command lines
	Requests int
	Granted  int // verbs of rules
	Unused   int // of Granted
	Younger  int // requests for kinds that were created after the roles were printed
}

// Check reads an audit log, and fails the test for each request of a user that the roles do not
// permit. Requests that Kubernetes permits to everybody are also fine.
func (s *Server) Check(t testing.TB, log string) (sum Summary) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	file, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	used := map[*user]map[int]bool{}
	seen := map[string]bool{}
	told := map[string]int{}
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // the text after the last newline is still incomplete
		}
		if err != nil {
			t.Fatal(err)
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%s: %v", log, err)
		}
		u := s.users[e.User.Username]
		if u == nil {
			continue
		}
		if !seen[e.AuditID] {
			sum.Requests++
		}
		seen[e.AuditID] = true
		if isHint(e) || e.ObjectRef != nil && u.terminatingNamespaces[e.ObjectRef.Namespace] {
			continue
		}
		if why := u.missingPermission(e); why != "" && isNewKind(e, u) {
			sum.Younger++
		} else if why != "" {
			told[fmt.Sprintf("%s: kstatus %s\n\t%s %s: %s%s", u.stage.t.Name(), strings.Join(u.args, " "), e.Verb, e.RequestURI, why, u.notesText())]++
		}
		for i, g := range u.grants {
			if g.permits(e) {
				if used[u] == nil {
					used[u] = map[int]bool{}
				}
				used[u][i] = true
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(told)) {
		t.Errorf("%s", text)
	}
	unused := map[string]int{}
	for _, u := range s.users {
		sum.Lines++
		for i, g := range u.grants {
			if sum.Granted++; !used[u][i] {
				sum.Unused++
				unused[strings.TrimSuffix(g.verb+" "+g.resource+"."+g.group, ".")]++
			}
		}
	}
	for _, what := range slices.SortedFunc(maps.Keys(unused), func(a, b string) int { return cmp.Or(unused[b]-unused[a], cmp.Compare(a, b)) }) {
		t.Logf("granted and not needed: %d times %s", unused[what], what)
	}
	return sum
}

// isHint reports whether a rejected request was only for a hint, which kstatus omits without
// permission. Such a request looks for objects or releases of one name in all namespaces, or
// for a namespace. No role has that right.
func isHint(e event) bool {
	if e.ResponseStatus.Code == 403 && e.ObjectRef != nil {
		isRelease := e.Verb == "list" && e.ObjectRef.Namespace == "" && strings.Contains(e.RequestURI, "owner%3Dhelm") && strings.Contains(e.RequestURI, "limit=11")
		if isRelease || e.Verb == "get" && e.ObjectRef.Resource == "namespaces" {
			return true
		}
	}
	return e.ResponseStatus.Code == 403 && e.Verb == "list" && e.ObjectRef != nil && e.ObjectRef.Namespace == "" &&
		strings.Contains(e.RequestURI, "fieldSelector=metadata.name%3D") && strings.Contains(e.RequestURI, "limit=11")
}

// isNewKind reports whether a request is for a kind, or its definition, that the API server did
// not serve when the roles were printed. Concurrent tests create and remove kinds. No role may
// be about the kind.
func isNewKind(e event, u *user) bool {
	r := e.ObjectRef
	if r == nil {
		return false
	}
	name := r.Resource + "." + r.APIGroup
	if name == "customresourcedefinitions.apiextensions.k8s.io" {
		name = r.Name
	}
	isGranted := slices.ContainsFunc(u.grants, func(g grant) bool { return g.resource+"."+g.group == name || slices.Contains(g.names, name) })
	return !isGranted && !u.served[name]
}

// missingPermission returns why the roles of a user do not permit a request; empty if they do.
func (u *user) missingPermission(e event) string {
	const decision, reason = "authorization.k8s.io/decision", "authorization.k8s.io/reason"
	if code := e.ResponseStatus.Code; code == 401 || code == 403 || e.Annotations[decision] != "allow" {
		return fmt.Sprintf("refused with %d", code)
	}
	if e.ObjectRef == nil || slices.ContainsFunc(u.grants, func(g grant) bool { return g.permits(e) }) {
		return ""
	}
	for _, everybody := range []string{`of ClusterRole "system:basic-user"`, `of ClusterRole "system:discovery"`, `of ClusterRole "system:public-info-viewer"`} {
		if strings.Contains(e.Annotations[reason], everybody) {
			return ""
		}
	}
	return "permitted by " + e.Annotations[reason]
}

func (u *user) notesText() string {
	if u.stderr == "" {
		return ""
	}
	return "\n\tkstatus rbac had said: " + strings.TrimSpace(u.stderr)
}

// splitResource splits a resource from its subresource.
func splitResource(text string) (resource, subresource string) {
	resource, subresource, _ = strings.Cut(text, "/")
	return resource, subresource
}
