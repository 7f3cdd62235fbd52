package watcher

import (
	"context"
	"errors"
	"time"

	"kstatus.dev/internal/integer"
	"kstatus.dev/internal/sleep"
	"kstatus.dev/kube/connection"
)

// list reads all objects in pages.
func (s *Stream) list(ctx context.Context) error {
	s.verb = "list"
	s.Sink.Begin()
	version, pages := "", 0
	err := connection.EachPage(ctx, s.Options, s.Requests.List, func(page *Page, isFirst bool) error {
		if err := s.compare(page.ResourceVersion); err != nil {
			return err
		}
		if s.IsRestored != nil && s.IsRestored(page.Objects) {
			return errRestored
		}
		if isFirst && pages > 0 { // a token has expired
			s.Sink.Begin()
		}
		pages++
		for i, o := range page.Objects {
			page.Objects[i] = nil // so that the rest can be freed
			if err := s.Sink.Object(o, true); err != nil {
				return err
			}
		}
		version = page.ResourceVersion
		return nil
	})
	if errors.Is(err, errRestored) {
		s.lose(true)
		return s.list(ctx)
	}
	if err != nil {
		return err
	}
	return s.complete(version)
}

// complete ends a list of all objects at a version.
func (s *Stream) complete(version string) error {
	if err := s.compare(version); err != nil {
		return err
	}
	if version == "0" { // a version of fakes, from which no watch continues
		version = ""
	}
	s.position = position{version: version, highest: integer.OfVersion(version), listed: time.Now(), noStreaming: s.position.noStreaming}
	s.verb = "watch" // of the changes from now on
	s.Sink.End(version)
	return nil
}

// compare returns an error if a list shows an earlier state than the one that was read, unless such a
// list counts.
func (s *Stream) compare(version string) error {
	if !s.position.isOlder(version) {
		return nil
	}
	if !s.AcceptOlder {
		return errOlder
	}
	s.lose(true)
	return nil
}

// check returns an error if the server does not have the position yet. Servers open a watch from a
// version of the future, and send nothing before it.
func (s *Stream) check(ctx context.Context) error {
	s.verb = "list"
	limited, stop := context.WithTimeout(ctx, openTimeout)
	defer stop()
	o := s.Options
	o.Limit = 1
	page, err := s.Requests.List(limited, o)
	switch {
	case err != nil && limited.Err() != nil && ctx.Err() == nil:
		return errNoResponse
	case connection.IsRefused(err): // only watches are permitted
	case err != nil:
		return err
	case !s.position.isOlder(page.ResourceVersion):
	case s.AcceptOlder:
		s.lose(true)
		return ErrMissed
	default:
		return errOlder
	}
	s.position.unsure, s.position.older = false, 0
	return nil
}

// poll lists, and pauses. The longer a list takes, the longer it pauses.
func (s *Stream) poll(ctx context.Context) error {
	began := time.Now()
	s.position.version = ""
	if err := s.list(ctx); err != nil {
		return err
	}
	took := time.Since(began)
	wait := max(s.Every-took, took)
	if s.Every == 0 {
		wait = Jitter(max(s.PollPause, 10*took))
	}
	if !sleep.For(ctx, wait) {
		return ctx.Err()
	}
	if s.Pace == nil {
		return nil
	}
	return s.Pace(ctx, "list")
}
