package lint

import "kstatus.dev/severity"

var creationRace = &Check{
	ID: "L-06", Name: "creation-race",
	Severity: severity.Warning, InProfile: map[Profile]severity.Level{ProfileKstatus: severity.Error},
	Doc: `an object that nobody has looked at does not count as done

Between the creation of an object and the first write of its controller there is
no status. cli-utils (Helm 4, Flux) takes an object without one for Current, so
that a wait by Helm or Flux that begins in this time ends at once. The check is
the proof: it judges a new object with the defaults of the schema by the rules of
cli-utils.

Repair: a default that says that nobody has looked:

    status:
      default: {}
      properties:
        observedGeneration: {type: integer, format: int64, default: -1}

The default of the field alone is never reached, since the status is missing; the
default of the status alone, {observedGeneration: -1}, ends with the first write
that leaves the field out. Where Go types make the definition: on the status field
of the root type //+kubebuilder:default={}, and on the field
//+kubebuilder:default=-1 with omitempty. Where the number cannot be, a condition
Ready that is Unknown by default closes the time before the first write.

Defaults also show when objects that are already stored are read. The controller
has to write observedGeneration on each of them in the end, paused ones too, or
they stay InProgress.`,
	Version: func(p *Pass, v Version) {
		s := v.Status()
		if !raceOpen(v) || v.unreachable() {
			return // unreachable-default tells
		}
		if object(s.Node, "properties") != nil && v.closedElsewhere() {
			return // served-versions and legacy-version tell
		}
		p.Report(Finding{
			Path:       s.Path,
			Message:    "a new object counts as done before its controller has looked: cli-utils (Helm 4, Flux) says Current",
			Suggestion: "status: {default: {}}, observedGeneration: {default: -1}",
			Fix:        p.raceFix(v),
		})
	},
}
