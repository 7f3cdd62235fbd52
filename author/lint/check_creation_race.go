package lint

import (
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var creationRace = &Check{
	ID: "L-06", Name: "creation-race",
	Severity: severity.Warning, InProfile: map[Profile]severity.Level{ProfileKstatus: severity.Error},
	Doc: `a new object does not count as done before its controller has observed it

A new object has no status until its controller writes it for the first time. cli-utils
(Helm 4, Flux) returns Current for an object without a status. So a wait of Helm or Flux
that begins in this time ends at once. The check applies the rules of cli-utils to a new
object with the defaults of the schema.

Fix: a default that marks an object as not observed:

    status:
      default: {}
      properties:
        observedGeneration: {type: integer, format: int64, default: -1}

A default of the field alone has no effect, since the status is missing. A default of
the status alone, {observedGeneration: -1}, is lost with the first write without the
field. In Go types: //+kubebuilder:default={} on the status field of the root type, and
//+kubebuilder:default=-1 with omitempty on the field. If -1 is not possible, a condition
Ready with the default Unknown covers the time before the first write.

Stored objects show the defaults too when they are read. The controller has to write
observedGeneration on each of them, including paused ones, or they stay InProgress.`,
	Version: func(p *Pass, v Version) {
		s := v.Status()
		if !raceOpen(v) || v.unreachable() {
			return // unreachable-default reports it
		}
		if decoded.Map(s.Node, "properties") != nil && v.hasSiblingWithoutRace() {
			return // served-versions and legacy-version report it
		}
		fix := p.raceFix(v)
		p.Report(Finding{
			Path:       s.Path,
			Message:    "a new object counts as done before its controller has observed it: cli-utils (Helm 4, Flux) returns Current",
			Suggestion: fix.suggestion("status: {default: {}}, observedGeneration: {default: -1}"),
			Fix:        fix,
		})
	},
}
