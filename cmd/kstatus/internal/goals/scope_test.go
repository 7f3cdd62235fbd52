package goals

import (
	"testing"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

func TestScope(t *testing.T) {
	job := observe.Target{Kind: status.Kind{Group: "batch", Kind: "Job"}, Namespace: "shop", Name: "migrate-7"}
	pod := observe.Target{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "migrate-7"}
	jobs := observe.Target{Kind: job.Kind, Namespace: "shop"}
	for _, c := range []struct {
		it, text string
		t        observe.Target
		want     bool
	}{
		{"fits a kind", "Job", job, true},
		{"fits a kind in whatever case", "job", job, true},
		{"tells kinds apart", "Job", pod, false},
		{"fits a kind and a name", "Job/migrate-7", job, true},
		{"tells names apart", "Job/migrate", job, false},
		{"fits a kind of a group", "Job.batch", job, true},
		{"tells groups apart", "Job.example.com", job, false},
		{"takes a dot at the end for the core group", "Pod.", pod, true},
		{"takes a dot at the end for the core group only", "Job.", job, false},
		{"fits a name of any kind", "/migrate-7", pod, true},
		{"fits the beginning of a name", "Job/migrate-*", job, true},
		{"fits the end of a name", "*/*-7", job, true},
		{"fits the middle of a name", "Job/m*gr*7", job, true},
		{"wants the end of a name", "Job/m*gr", job, false},
		{"fits a group", "*.ba*", job, true},
		{"fits everything", "*", pod, true},
		{"fits a selection by its kind", "Job", jobs, true},
		{"does not fit a selection by a name", "Job/migrate-7", jobs, false},
	} {
		s, err := ParseScope(c.text)
		if err != nil {
			t.Errorf("it %s: %v", c.it, err)
			continue
		}
		if got := s.matches(c.t); got != c.want {
			t.Errorf("it %s: %s fits %s = %t, want %t", c.it, c.text, c.t, got, c.want)
		}
	}
	for _, text := range []string{"", "/", "Job/", ".batch", "Job/a/b", "Job,Pod", "Job x"} {
		if s, err := ParseScope(text); err == nil {
			t.Errorf("scopeOf(%q) = %+v, want an error", text, s)
		}
	}
}

func TestGoalScope(t *testing.T) {
	for _, c := range []struct{ it, text, scope, goal string }{
		{"reads a goal", "current", "", "current"},
		{"reads a goal in kubectl's words", "Delete", "", "deleted"},
		{"reads a scope", "Job:deleted", "Job", "deleted"},
		{"reads a condition with a scope", "Job/migrate:condition=Complete", "Job/migrate", "condition=Complete"},
		{"leaves a colon in an expression alone", "jsonpath={.items[0:2]}=a:current", "", "jsonpath={.items[0:2]}=a:current"},
		{"leaves a colon in a scoped expression alone", "Pod:jsonpath={.a[0:1]}=b:deleted", "Pod", "jsonpath={.a[0:1]}=b:deleted"},
		{"leaves a colon in a value alone", "condition=Image=registry:5000", "", "condition=Image=registry:5000"},
		{"leaves a colon in a name alone", "ClusterRole/system:node:created", "ClusterRole/system:node", "created"},
		{"leaves a colon in a name before a condition alone", "/system:a:condition=Ready", "/system:a", "condition=Ready"},
	} {
		g, err := ParseGoal(c.text)
		if err != nil {
			t.Errorf("it %s: %v", c.it, err)
			continue
		}
		if g.Scope.Text != c.scope || g.Value.Name != c.goal {
			t.Errorf("it %s: %q is %q for %q, want %q for %q", c.it, c.text, g.Value.Name, g.Scope.Text, c.goal, c.scope)
		}
	}
}
