package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/test/lib/witness"
)

// catchUp is how long the engine may take to agree with the cluster after the repairs, without
// further changes. A stream that has failed often pauses for up to 45 seconds.
const catchUp = 2 * time.Minute

// settle waits until all followers agree with a fresh read of every object, and takes a
// measurement.
func (s *soakRun) settle(ctx context.Context) error {
	began := time.Now()
	open := s.targets
	var differ []string
	for len(open) > 0 && ctx.Err() == nil {
		var err error
		if open, differ, err = s.compare(ctx, open); err != nil {
			return err
		}
		if len(open) > 0 && time.Since(began) > catchUp {
			for _, d := range differ {
				s.mismatches.add("%s after all faults were repaired: %s", time.Since(began).Round(time.Second), d)
			}
			return nil
		}
		if len(open) > 0 {
			time.Sleep(500 * time.Millisecond) // the interval of the comparison, which reads every object
		} else if again, _, err := s.compare(ctx, s.targets); err == nil {
			open = again // finally, all at the same time
		}
	}
	s.measure(time.Since(began))
	return nil
}

// compare returns the targets on which a follower differs from a fresh read, with the
// differences.
func (s *soakRun) compare(ctx context.Context, targets []observe.Target) (open []observe.Target, differ []string, err error) {
	for _, t := range targets {
		now, err := s.live.Get(ctx, t)
		if ctx.Err() != nil {
			return nil, nil, nil
		}
		if err != nil {
			differ = append(differ, fmt.Sprintf("read %s: %v", t, err))
			open = append(open, t)
			continue
		}
		for _, f := range s.followers {
			u := f.last(t)
			if d := witness.Differs(u, now); d != "" {
				differ = append(differ, fmt.Sprintf("%s on %s: %s; last told: %s", f.name, t, d, witness.FormatUpdate(u)))
				open = append(open, t)
				break
			}
		}
	}
	return open, differ, nil
}

var errMismatch = errors.New("the engine was wrong")
