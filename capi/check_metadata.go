package capi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/internal/integer"
	"kstatus.dev/lint"
)

const metadataVersion = "clusterctl.cluster.x-k8s.io/v1alpha3"

// A releaseSeries is one of metadata.yaml: the releases with the same major and minor number.
type releaseSeries struct {
	major, minor int64
	contract     string
	path         lint.Path
}

// metadata calls f with each metadata.yaml of the bundle, and its series.
func (p *pass) metadata(f func(index int, o map[string]any, all []releaseSeries)) {
	for i, o := range p.Bundle.Objects {
		api := text(o, "apiVersion")
		if _, there := at(o, "releaseSeries"); !there && !strings.HasPrefix(api, "clusterctl.cluster.x-k8s.io/") || text(o, "kind") != "Metadata" && text(o, "kind") != "" && !there {
			continue
		}
		var all []releaseSeries
		for j, item := range list(o, "releaseSeries") {
			s, _ := item.(map[string]any)
			all = append(all, releaseSeries{number(s, "major"), number(s, "minor"), text(s, "contract"), lint.Path{"releaseSeries", j}})
		}
		f(i, o, all)
	}
}

// release returns the series of the release that is checked: the newest, unless the options name one.
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
	ID: "C-PK-1", Name: "metadata", Severity: lint.Error,
	Doc: `metadata.yaml is what clusterctl accepts

Since v1.11 clusterctl refuses a metadata.yaml whose apiVersion is not
clusterctl.cluster.x-k8s.io/v1alpha3, whose kind is another than Metadata, or that has no
releaseSeries. Each series has a major and a minor number and a contract, no two are
the same, and the release that is published has one.`,
	Bundle: func(p *pass) {
		p.metadata(func(i int, o map[string]any, all []releaseSeries) {
			if have := text(o, "apiVersion"); have != metadataVersion {
				p.ReportOn(i, lint.Path{"apiVersion"}, "the apiVersion is "+quote(have), "apiVersion: "+metadataVersion, add(lint.Path{"apiVersion"}, metadataVersion))
			}
			if have := text(o, "kind"); have != "Metadata" && have != "" {
				p.ReportOn(i, lint.Path{"kind"}, "the kind is "+quote(have), "kind: Metadata", add(lint.Path{"kind"}, "Metadata"))
			}
			if len(all) == 0 {
				p.ReportOn(i, lint.Path{"releaseSeries"}, "there is no release series", "add one with major, minor and contract", nil)
				return
			}
			p.eachSeries(i, o, all)
			if _, there := p.options.release(all); !there {
				p.ReportOn(i, lint.Path{"releaseSeries"}, "no series is that of the release "+quote(p.options.Release), "add it", nil)
			}
		})
	},
}

func (p *pass) eachSeries(i int, o map[string]any, all []releaseSeries) {
	seen := map[[2]int64]bool{}
	for j, s := range all {
		raw, _ := list(o, "releaseSeries")[j].(map[string]any)
		for _, name := range []string{"major", "minor"} {
			if n, ok := integer.Of(raw[name]); !ok && raw[name] != nil || n < 0 {
				p.ReportOn(i, s.path.With(name), name+" is no number of a release", name+": 0 or a whole number above", nil)
			}
		}
		if !kubeVersion.MatchString(s.contract) {
			p.ReportOn(i, s.path, "the contract is "+quote(s.contract), "contract: "+string(ContractV1Beta2), nil)
		}
		if seen[[2]int64{s.major, s.minor}] {
			p.ReportOn(i, s.path, "the series "+strconv.FormatInt(s.major, 10)+"."+strconv.FormatInt(s.minor, 10)+" stands there twice", "remove one", nil)
		}
		seen[[2]int64{s.major, s.minor}] = true
	}
}
