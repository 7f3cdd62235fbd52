package check

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
)

const metadataVersion = "clusterctl.cluster.x-k8s.io/v1alpha3"

// A releaseSeries is an entry of metadata.yaml: all releases with the same
// major and minor number.
type releaseSeries struct {
	major, minor int64
	contract     string
	path         lint.Path
}

// metadata calls f with each metadata.yaml of the bundle and its series.
func (p *pass) metadata(f func(index int, o map[string]any, all []releaseSeries)) {
	for i, o := range p.Bundle.Objects {
		api := decoded.Text(o, "apiVersion")
		if _, there := o["releaseSeries"]; !there && !strings.HasPrefix(api, "clusterctl.cluster.x-k8s.io/") || decoded.Text(o, "kind") != "Metadata" && decoded.Text(o, "kind") != "" && !there {
			continue
		}
		var all []releaseSeries
		for j, s := range decoded.Maps(o, "releaseSeries") {
			all = append(all, releaseSeries{number(s, "major"), number(s, "minor"), decoded.Text(s, "contract"), lint.Path{"releaseSeries", j}})
		}
		f(i, o, all)
	}
}

// release returns the series of the checked release: the newest, unless the
// options name a release.
func (o Options) release(all []releaseSeries) (releaseSeries, bool) {
	if o.Release == "" {
		if len(all) == 0 {
			return releaseSeries{}, false
		}
		return slices.MaxFunc(all, func(a, b releaseSeries) int {
			return cmp.Or(cmp.Compare(a.major, b.major), cmp.Compare(a.minor, b.minor))
		}), true
	}
	major, rest, _ := strings.Cut(strings.TrimPrefix(o.Release, "v"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	for _, s := range all {
		if strconv.FormatInt(s.major, 10) == major && strconv.FormatInt(s.minor, 10) == minor {
			return s, true
		}
	}
	return releaseSeries{}, false
}

var metadata = &check{
	ID: "C-PK-1", Name: "metadata", Severity: severity.Error,
	Doc: `clusterctl accepts metadata.yaml

Since v1.11 clusterctl rejects a metadata.yaml with another apiVersion than
clusterctl.cluster.x-k8s.io/v1alpha3, with another kind than Metadata, or without
releaseSeries. Each series has a major and a minor number and a contract. No two
series are the same, and the published release has one.`,
	Bundle: func(p *pass) {
		p.metadata(func(i int, o map[string]any, all []releaseSeries) {
			if have := decoded.Text(o, "apiVersion"); have != metadataVersion {
				p.ForObject(i).Report(lint.Finding{
					Path:       lint.Path{"apiVersion"},
					Message:    "the apiVersion is " + quote(have),
					Suggestion: "apiVersion: " + metadataVersion,
					Fix:        add(lint.Path{"apiVersion"}, metadataVersion),
				})
			}
			if have := decoded.Text(o, "kind"); have != "Metadata" && have != "" {
				p.ForObject(i).Report(lint.Finding{
					Path:       lint.Path{"kind"},
					Message:    "the kind is " + quote(have),
					Suggestion: "kind: Metadata",
					Fix:        add(lint.Path{"kind"}, "Metadata"),
				})
			}
			if len(all) == 0 {
				p.ForObject(i).Report(lint.Finding{
					Path:       lint.Path{"releaseSeries"},
					Message:    "metadata.yaml has no release series",
					Suggestion: "add one with major, minor and contract",
				})
				return
			}
			p.eachSeries(i, o, all)
			if _, there := p.options.release(all); !there {
				p.ForObject(i).Report(lint.Finding{
					Path:       lint.Path{"releaseSeries"},
					Message:    "no series matches the release " + quote(p.options.Release),
					Suggestion: "add it",
				})
			}
		})
	},
}

func (p *pass) eachSeries(i int, o map[string]any, all []releaseSeries) {
	seen := map[[2]int64]bool{}
	for j, s := range all {
		raw, _ := decoded.List(o, "releaseSeries")[j].(map[string]any)
		for _, name := range []string{"major", "minor"} {
			if n, ok := integer.Of(raw[name]); !ok && raw[name] != nil || n < 0 {
				p.ForObject(i).Report(lint.Finding{
					Path:       s.path.With(name),
					Message:    name + " is not a number of a release",
					Suggestion: name + ": 0 or a positive integer",
				})
			}
		}
		if !kubeVersion.MatchString(s.contract) {
			p.ForObject(i).Report(lint.Finding{
				Path:       s.path,
				Message:    "the contract is " + quote(s.contract),
				Suggestion: "contract: " + string(ContractV1Beta2),
			})
		}
		if seen[[2]int64{s.major, s.minor}] {
			p.ForObject(i).Report(lint.Finding{
				Path:       s.path,
				Message:    "the series " + strconv.FormatInt(s.major, 10) + "." + strconv.FormatInt(s.minor, 10) + " is in the list twice",
				Suggestion: "remove one",
			})
		}
		seen[[2]int64{s.major, s.minor}] = true
	}
}
