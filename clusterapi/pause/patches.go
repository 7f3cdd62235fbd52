package pause

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"kstatus.dev/clusterapi/internal/facts"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/internal/text"
)

// maxMessage limits [MessageAnnotation], in bytes.
const maxMessage = 1024

// A patchFunc returns a merge patch for a version of an object, and nil if none is needed.
type patchFunc func(facts.Facts) map[string]any

// pausePatch pauses a target.
func (r *runner) pausePatch(f facts.Facts) map[string]any {
	annotations := map[string]any{StateAnnotation: string(PhasePausing), MessageAnnotation: nil}
	if f.Record == nil {
		// A Record can be encoded.
		record, _ := json.Marshal(Record{Paused: f.IsPaused, By: r.options.By})
		annotations[BeforeAnnotation] = string(record)
	}
	return pausedPatch(f, annotations, true)
}

// unpausePatch restores the state from before. An object without a record is unpaused.
func (r *runner) unpausePatch(f facts.Facts) map[string]any {
	annotations := map[string]any{StateAnnotation: string(PhaseUnpausing), MessageAnnotation: nil, BeforeAnnotation: nil}
	stays := f.Record != nil && f.Record.Paused && !r.options.Force
	return pausedPatch(f, annotations, stays)
}

// pausedPatch returns a patch that sets annotations and pauses or unpauses.
func pausedPatch(f facts.Facts, annotations map[string]any, paused bool) map[string]any {
	patch := map[string]any{"metadata": map[string]any{"annotations": annotations}}
	var value any
	switch {
	case f.IsPaused == paused:
	case f.IsCluster:
		if paused {
			value = true
		}
		patch["spec"] = map[string]any{"paused": value}
	default:
		if paused {
			value = ""
		}
		annotations[management.PausedAnnotation] = value
	}
	return patch
}

// phasePatch sets the phase and the message of a target.
func (r *runner) phasePatch(phase Phase, message string) patchFunc {
	return func(f facts.Facts) map[string]any {
		if f.Phase == string(phase) && f.PhaseMessage == message {
			return nil
		}
		annotations := map[string]any{StateAnnotation: string(phase), MessageAnnotation: nil}
		if message != "" {
			annotations[MessageAnnotation] = message
		}
		return map[string]any{"metadata": map[string]any{"annotations": annotations}}
	}
}

// wakePatch sets the annotation that wakes a controller.
func wakePatch(f facts.Facts) map[string]any {
	return map[string]any{"metadata": map[string]any{"annotations": map[string]any{WakeAnnotation: time.Now().UTC().Format(time.RFC3339)}}}
}

// sleepPatch removes that annotation.
func sleepPatch(f facts.Facts) map[string]any {
	if !f.IsWoken {
		return nil
	}
	return map[string]any{"metadata": map[string]any{"annotations": map[string]any{WakeAnnotation: nil}}}
}

// lastPhase returns the phase of a target that is done.
func (r *runner) lastPhase(p *target) Phase {
	if r.unpause && !p.stays {
		return PhaseUnpaused
	}
	return PhasePaused
}

// phaseOf returns the phase and the message that are true of a target.
func (r *runner) phaseOf(p *target) (Phase, string) {
	switch p.result.Reason {
	case ReasonUnpausedByOther:
		return PhaseUnpaused, p.result.Message
	case ReasonPausedByOther:
		return PhasePausing, p.result.Message
	case ReasonReplaced:
		return p.phase, p.message
	}
	done := !p.doneSince.IsZero() && (r.unpause || p.verified)
	switch {
	case done && p.stays:
		return PhasePaused, "it stays paused, because it was paused before"
	case done:
		return r.lastPhase(p), listText("cannot tell", p.unclear)
	case r.unpause:
		return PhaseUnpausing, listText("busy", p.open)
	}
	return PhasePausing, listText("busy", p.open)
}

// interruptedText says how to continue after the end of ctx.
func (r *runner) interruptedText() string {
	if r.unpause {
		return "interrupted: run kstatus capi unpause again; "
	}
	return "interrupted: run kstatus capi pause again, or kstatus capi unpause; "
}

// listText returns what is known about objects as one line, sorted and without times.
func listText(what string, all []*object) string {
	if len(all) == 0 {
		return ""
	}
	var lines []string
	for _, o := range all {
		name := o.Name
		if name == "" {
			name = "*"
		}
		lines = append(lines, facts.Name(o.Kind.Kind+"/"+name)+" ("+o.Message+")")
	}
	slices.Sort(lines)
	out, rest := what+": ", len(lines)
	for i, line := range lines {
		more := fmt.Sprintf(" and %d more", rest)
		if len(out)+len(line)+len(more)+2 > maxMessage {
			return strings.TrimSuffix(out, ", ") + more
		}
		if i > 0 {
			out += ", "
		}
		out += line
		rest--
	}
	return text.Cut(out, maxMessage)
}
