package test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	today "github.com/fluxcd/cli-utils/pkg/kstatus/status"
	fluxobject "github.com/fluxcd/cli-utils/pkg/object"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	sigsstatus "sigs.k8s.io/cli-utils/pkg/kstatus/status"
	sigsobject "sigs.k8s.io/cli-utils/pkg/object"

	fluxfacade "kstatus.dev/dropin/fluxcd/pkg/kstatus/status"
	fluxfacadeobject "kstatus.dev/dropin/fluxcd/pkg/object"
	sigsfacadeobject "kstatus.dev/dropin/sigs/pkg/object"
)

// A dropinPair is a function of an original and of its façade. Each returns the result as text, and
// the error.
type dropinPair struct {
	name         string
	theirs, ours func(*unstructured.Unstructured) (string, error)
}

// rendered returns all fields of a result.
func rendered(result any, err error) (string, error) {
	text, _ := json.Marshal(result)
	return string(text), err
}

// augmented returns the object after Augment, without the times that it writes.
func augmented(u *unstructured.Unstructured, augment func(*unstructured.Unstructured) error) (string, error) {
	u = u.DeepCopy()
	if err := augment(u); err != nil {
		return "", err
	}
	for _, p := range places(u.Object) {
		if m, ok := p.get().(map[string]any); ok {
			delete(m, "lastUpdateTime")
			delete(m, "lastTransitionTime")
		}
	}
	return rendered(u.Object, nil)
}

// legacy returns the verdict of the rule for a kind.
func legacy[F ~func(*unstructured.Unstructured) (R, error), R any](f F, u *unstructured.Unstructured) (string, error) {
	if reflect.ValueOf(f).IsNil() {
		return "no rule", nil
	}
	return rendered(f(u))
}

var dropinPairs = []dropinPair{
	{
		"fluxcd Compute",
		func(u *unstructured.Unstructured) (string, error) { return rendered(today.Compute(u)) },
		func(u *unstructured.Unstructured) (string, error) { return rendered(fluxfacade.Compute(u)) },
	},
	{
		"sigs Compute",
		func(u *unstructured.Unstructured) (string, error) { return rendered(sigsstatus.Compute(u)) },
		func(u *unstructured.Unstructured) (string, error) { return rendered(fluxfacade.Compute(u)) },
	},
	{
		"Augment",
		func(u *unstructured.Unstructured) (string, error) { return augmented(u, today.Augment) },
		func(u *unstructured.Unstructured) (string, error) { return augmented(u, fluxfacade.Augment) },
	},
	{
		"GetLegacyConditionsFn",
		func(u *unstructured.Unstructured) (string, error) { return legacy(today.GetLegacyConditionsFn(u), u) },
		func(u *unstructured.Unstructured) (string, error) {
			return legacy(fluxfacade.GetLegacyConditionsFn(u), u)
		},
	},
}

// difference describes how the results for an object differ; it is empty if they are equal. Where the
// original panics, the façade must return an error.
func (p dropinPair) difference(obj map[string]any) string {
	want, wantErr, panicked := p.original(obj)
	have, err := p.ours(&unstructured.Unstructured{Object: k8sruntime.DeepCopyJSON(obj)})
	switch {
	case panicked && err == nil:
		return "the original panics, the façade returns " + have
	case panicked:
		return ""
	case (err == nil) != (wantErr == nil), err == nil && have != want:
		return fmt.Sprintf("the original returns %s, error %v\nthe façade returns %s, error %v", want, wantErr, have, err)
	case err != nil && err.Error() != wantErr.Error():
		return fmt.Sprintf("the original returns the error %v\nthe façade returns %v", wantErr, err)
	}
	return ""
}

func (p dropinPair) original(obj map[string]any) (result string, err error, panicked bool) {
	defer func() {
		if recover() != nil {
			panicked = true
		}
	}()
	result, err = p.theirs(&unstructured.Unstructured{Object: k8sruntime.DeepCopyJSON(obj)})
	return result, err, false
}

// check fails the test with the smallest object that shows a difference.
func (p dropinPair) check(t *testing.T, from string, obj map[string]any) {
	if p.difference(obj) == "" {
		return
	}
	small := minimized(obj, func(o map[string]any) bool { return p.difference(o) != "" })
	text, _ := json.MarshalIndent(small, "", " ")
	t.Errorf("%s, made of %s:\n%s\non %s", p.name, from, p.difference(small), text)
}

// dropinMutants is the number of mutated objects in the test. The fuzz target tries more.
const dropinMutants = 20_000

func TestDropInComputesTheSame(t *testing.T) {
	all := samples(t)
	for _, p := range dropinPairs {
		t.Run(p.name, func(t *testing.T) {
			for _, s := range all {
				p.check(t, s.from, s.obj)
			}
			for i := uint64(0); i < dropinMutants && !t.Failed(); i++ {
				s := all[i%uint64(len(all))]
				p.check(t, s.from, mutated(s.obj, i))
				p.check(t, "a seed", generated(i))
			}
		})
	}
}

// parsed returns the result of a parser as text.
func parsed(id any, err error) string { return fmt.Sprintf("%+v, error %v", id, err) }

func FuzzDropInParse(f *testing.F) {
	for _, text := range []string{"", "_", "ns_name_apps_Deployment", "_a__b_rbac.authorization.k8s.io_ClusterRole", "a_b_c_d_e", "___", "ns_a_b_apps_Deployment"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		compareParsed(t, text, parsed(fluxobject.ParseObjMetadata(text)), parsed(fluxfacadeobject.ParseObjMetadata(text)))
		compareParsed(t, text, parsed(sigsobject.ParseObjMetadata(text)), parsed(sigsfacadeobject.ParseObjMetadata(text)))
	})
}

func compareParsed(t *testing.T, text, want, have string) {
	t.Helper()
	if have != want {
		t.Errorf("%q: the original returns %s, the façade %s", text, want, have)
	}
}
