package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

var metadataContract = &check{
	ID: "C-RES-7", Name: "metadata-contract", Severity: severity.Warning,
	Doc: `metadata.yaml and the labels of the definitions name the same contract (L-42)

From metadata.yaml clusterctl decides what may be installed and upgraded together.
From the labels core decides what it reads. Neither compares the two. This check uses
the series of the release, or the newest one.`,
	Bundle: func(p *pass) {
		p.metadata(func(i int, _ map[string]any, all []releaseSeries) {
			s, ok := p.options.release(all)
			if !ok || s.contract == "" {
				return
			}
			for _, k := range p.options.kinds(p.Pass) {
				if k.labelled && s.contract != string(k.contract) {
					p.ForObject(i).Report(lint.Finding{
						Path:       s.path.With("contract"),
						Message:    "the series says " + quote(s.contract) + ", the labels of " + quote(k.Name) + " say " + string(k.contract),
						Suggestion: "name one contract in both",
					})
					return
				}
			}
		})
	},
}
