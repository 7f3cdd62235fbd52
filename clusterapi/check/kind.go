package check

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
)

// A kind is a definition with a role, as core reads it.
type kind struct {
	lint.CRD
	role     roles.Role
	contract Contract
	labelled bool         // by a label; else by the options, or a guess from the schema
	version  lint.Version // the version that core reads; no name: none
}

// kindOf resolves a definition as core does: the newest contract with a label
// that is not empty, and the highest of its versions. Without a label it takes
// the highest served version.
func (o Options) kindOf(crd lint.CRD) (kind, bool) {
	role, set := o.Roles[crd.Kind]
	if !set {
		role = roles.Of(crd.Group, crd.Kind, crd.Labels)
	}
	if role == roles.None {
		return kind{}, false
	}
	k := kind{CRD: crd, role: role}
	want := ""
	for _, c := range contracts {
		if value := crd.Labels[c.Label()]; value != "" && (o.Contract == "" || o.Contract == c) {
			k.contract, k.labelled, want = c, true, highest(strings.Split(value, "_"))
			break
		}
	}
	if !k.labelled {
		want, k.contract = highest(k.served()), o.Contract
	}
	for _, v := range crd.Versions {
		if v.Name == want && want != "" {
			k.version = v
		}
	}
	if k.contract == "" {
		k.contract = looksLike(role, k.version)
	}
	return k, true
}

// looksLike guesses the contract of a version without a label: v1beta1 if it
// has a field that only v1beta1 requires.
func looksLike(r roles.Role, v lint.Version) Contract {
	has := func(c Contract) bool { return v.Schema.At(strings.Split(initializedField(r, c), ".")...).Exists() }
	if r.HasStatus() && has(ContractV1Beta1) && !has(ContractV1Beta2) {
		return ContractV1Beta1
	}
	return ContractV1Beta2
}

type kindsBy struct{ options *Options }

// kinds returns the definitions with a role.
func (o *Options) kinds(p *lint.Pass) []kind {
	return lint.Memo(p, kindsBy{o}, func() (all []kind) {
		for _, crd := range p.CRDs() {
			if k, ok := o.kindOf(crd); ok {
				all = append(all, k)
			}
		}
		return all
	})
}

// field returns the schema of a field, in the version that core reads. In the
// path "[]" descends into items, "{}" into the values of a map.
func (k kind) field(path string) lint.Schema {
	s := k.version.Schema
	for _, step := range steps(path) {
		switch step {
		case "[]":
			s = s.Items()
		case "{}":
			s = lint.Schema{Node: decoded.Map(s.Node, "additionalProperties"), Path: s.Path.With("additionalProperties")}
		default:
			s = s.Property(step)
		}
	}
	return s
}

// existingPath returns the path of the schema at the path, or of its closest parent
// that exists.
func (k kind) existingPath(path string) lint.Path {
	names := steps(path)
	for i := len(names); i > 0; i-- {
		if s := k.field(strings.Join(names[:i], ".")); s.Exists() {
			return s.Path
		}
	}
	if k.version.Schema.Exists() {
		return k.version.Schema.Path
	}
	return k.version.Path
}

var kubeVersion = regexp.MustCompile(`^v([1-9][0-9]{0,8})(?:(alpha|beta)([1-9][0-9]{0,8}))?$`)

// highest returns the highest version in the order of Kubernetes: v2, v1,
// v1beta2, v1beta1, v1alpha1, then names that are not versions.
func highest(versions []string) string {
	if len(versions) == 0 {
		return ""
	}
	return slices.MaxFunc(versions, compareVersions)
}

func compareVersions(a, b string) int {
	x, y := kubeVersion.FindStringSubmatch(a), kubeVersion.FindStringSubmatch(b)
	if x == nil || y == nil {
		return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(b, a))
	}
	rank := func(m []string) int { return map[string]int{"": 2, "beta": 1}[m[2]] }
	n := func(s string) int { i, _ := strconv.Atoi(s); return i }
	return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(n(x[1]), n(y[1])), cmp.Compare(n(x[3]), n(y[3])))
}

// VersionOf returns the version in which core reads objects of a definition. It is
// the highest version of the newest contract; without a label, it is the highest
// served version. The result is always a served version, so that objects can be
// read.
func VersionOf(crd lint.CRD) string {
	var served, labelled []string
	for _, v := range crd.Versions {
		if v.Served {
			served = append(served, v.Name)
		}
	}
	for _, c := range contracts {
		for _, name := range strings.Split(crd.Labels[c.Label()], "_") {
			if slices.Contains(served, name) {
				labelled = append(labelled, name)
			}
		}
		if labelled != nil {
			return highest(labelled)
		}
	}
	return highest(served)
}
