package overview

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/status"
)

func TestNamespaceThatDoesNotExist(t *testing.T) {
	names := []string{"default", "shop"}
	for _, row := range []struct{ name, want string }{
		{"shpo", `namespace "shpo" does not exist; did you mean shop?`},
		{"payments", `namespace "payments" does not exist`},
	} {
		t.Run(row.name, func(t *testing.T) {
			if have := fmt.Sprint(noSuchNamespace(row.name, names)); have != row.want {
				t.Errorf("have %s, want %s", have, row.want)
			}
		})
	}
}

func TestTypesThatMayNotBeListedAreToldApartFromOtherErrors(t *testing.T) {
	forbidden := func(group, resource string) error {
		return apierrors.NewForbidden(schema.GroupResource{Group: group, Resource: resource}, "", errors.New("no role"))
	}
	broken := errors.New("connection refused")
	unserved := &connection.TypeError{Type: "apiservices"}
	denied, other := withoutDenied(errors.Join(forbidden("", "nodes"), unserved, broken, forbidden("apps", "deployments")))
	if want := []string{"deployments.apps", "nodes"}; !slices.Equal(denied, want) {
		t.Errorf("have %q, want %q", denied, want)
	}
	if have := fmt.Sprint(other); have != "connection refused" {
		t.Errorf("have %s, want only the error that is about no type", have)
	}
	if denied, other := withoutDenied(nil); denied != nil || other != nil {
		t.Errorf("have %q and %v, want nothing", denied, other)
	}
}

func TestANamespaceThatIsBeingDeletedComesFirst(t *testing.T) {
	namespace := verdict("Namespace", "shop", status.TerminatingStatus, "", "")
	namespace.ID.Namespace = ""
	bad := []output.Verdict{
		verdict("Job", "migrate", status.FailedStatus, status.FailureTerminal, ""),
		verdict("Deployment", "web", status.InProgressStatus, "", ""), namespace, verdict("Pod", "shop", status.InProgressStatus, "", ""),
	}
	withNamespaceFirst("shop", bad)
	var have []string
	for _, v := range bad {
		have = append(have, v.ID.Kind)
	}
	if want := []string{"Namespace", "Job", "Deployment", "Pod"}; !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
}
