package pause

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/status"
)

// shopObjects is a Cluster with a Machine, and a class that is paused by itself.
const shopObjects = `
	Cluster ns/shop
	Machine ns/m < Cluster ns/shop cluster.x-k8s.io/cluster-name=shop
	Box ns/b < Machine ns/m cluster.x-k8s.io/cluster-name=shop
	BoxTemplate ns/t < Cluster ns/shop
	ClusterClass ns/c
`

// Controllers acknowledge a pause and its end.
func TestControllersAcknowledge(t *testing.T) {
	class := management.IDOf(management.ClusterClass, "ns", "c")
	for _, row := range []struct {
		it      string
		ignored []string // kinds without a controller
		options Options
		want    string // Done and the objects that are not, after the pause
		after   string // and after its end
	}{
		{it: "acknowledge it", want: "true", after: "true"},
		{it: "are silent", ignored: []string{"Box"}, want: "true", after: "true"},
		{it: "are silent and strictly needed", ignored: []string{"Box"}, options: Options{Strict: true}, want: "false b NoReport", after: "false b NoSign"},
		{it: "do not work", ignored: []string{"Machine", "ClusterClass"}, options: Options{Strict: true}, want: "false c NoReport m NoReport", after: "false c NoSign m NoSign"},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := clusterapitest.NewServer(t, "source", "Cluster", "Machine", "Box", "BoxTemplate", "ClusterClass")
				objects, err := clusterapitest.Parse(shopObjects)
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range objects {
					s.Put(o.Unstructured)
				}
				clusterapitest.RunCore(s, row.ignored...)
				row.options.Timeout = 5 * time.Minute
				for _, step := range []struct {
					do    func(context.Context, *rest.Config, []status.ID, Options) (*Result, error)
					want  string
					pause bool
				}{{Pause, row.want, true}, {Unpause, row.after, false}} {
					r, err := step.do(t.Context(), s.Config(), []status.ID{shop, class}, row.options)
					if err != nil {
						t.Fatal(err)
					}
					have := fmt.Sprint(r.Done())
					for _, o := range r.Objects {
						if !o.Done {
							have += fmt.Sprint(" ", o.Name, " ", o.Reason)
						}
					}
					if have != step.want {
						t.Errorf("have %s, want %s", have, step.want)
					}
					for _, target := range []status.ID{shop, class} {
						if have := clusterapitest.IsPaused(s.Find(schema.GroupKind(target.Kind), target.Namespace, target.Name)); have != step.pause {
							t.Errorf("%s is paused: %t", target, have)
						}
					}
				}
				for _, u := range s.Objects() {
					for name := range u.GetAnnotations() {
						if strings.HasPrefix(name, "kstatus.dev/") && name != StateAnnotation && name != MessageAnnotation {
							t.Errorf("%s still has the annotation %s", u.GetName(), name)
						}
					}
				}
			})
		})
	}
}
