// Package verdict carries the mode of a watch to the status readers of this module.
package verdict

import (
	"cmp"
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/pkg/kstatus/status"
	engine "kstatus.dev/status"
)

// A Judge computes statuses in a mode. It is for one goroutine.
type Judge struct {
	Mode      dropin.Mode
	Evaluator engine.Evaluator // its hooks know the cluster
	Since     Since            // nil: not known
	Recheck   time.Duration    // the shortest time after which a status may change by itself; 0: none does
}

// Since returns since when an object has had its generation.
type Since func(*unstructured.Unstructured) time.Time

// An Age is how long an object has had its generation.
type Age struct {
	uid        types.UID
	generation int64
	since      time.Time
}

// See returns since when the object has had its generation, which begins now if it is a new one.
func (a *Age) See(u *unstructured.Unstructured) time.Time {
	uid, generation := u.GetUID(), u.GetGeneration()
	if a.since.IsZero() || uid != a.uid || generation != a.generation {
		*a = Age{uid, generation, time.Now()}
		if made := u.GetCreationTimestamp().Time; generation <= 1 && !made.IsZero() && made.Before(a.since) {
			a.since = made // the first generation began with the object
		}
	}
	return a.since
}

// Since returns what the last call of See has returned.
func (a *Age) Since() time.Time { return a.since }

type judgeKey struct{}

// With returns a context whose statuses j computes.
func With(ctx context.Context, j *Judge) context.Context {
	return context.WithValue(ctx, judgeKey{}, j)
}

// Mode returns the mode of field. Its empty parts are those of ctx, and otherwise those of the program.
func Mode(ctx context.Context, field dropin.Mode) (dropin.Mode, error) {
	if j, ok := ctx.Value(judgeKey{}).(*Judge); ok {
		field.Verdicts = cmp.Or(field.Verdicts, j.Mode.Verdicts)
		field.Events = cmp.Or(field.Events, j.Mode.Events)
	}
	return dropin.Resolve(field)
}

// Compute returns the status of u in the mode that [Mode] returns.
func Compute(ctx context.Context, field dropin.Mode, u *unstructured.Unstructured) (*status.Result, error) {
	m, err := Mode(ctx, field)
	if err != nil {
		return nil, err
	}
	j, ok := ctx.Value(judgeKey{}).(*Judge)
	if !ok {
		r, _, err := status.Judge(u, m)
		return r, err
	}
	var since time.Time
	if j.Since != nil {
		since = j.Since(u)
	}
	r, recheck, err := status.JudgeWith(u, m, j.Evaluator, since)
	if recheck > 0 && (j.Recheck == 0 || recheck < j.Recheck) {
		j.Recheck = recheck
	}
	return r, err
}
