package main

import (
	"io"
	"time"

	"kstatus.dev/observe"
)

// A view shows a wait.
type view interface {
	start(goals []observe.Goal) error
	update(u observe.Update, b *observe.Board) error
	end(b *observe.Board, e ending) error
}

// An ending is how a wait ended.
type ending struct {
	code exitCode
	cut  bool // it was over before all was decided, so what is open is to be told
}

// A waitLook is what all views of a wait know.
type waitLook struct {
	out     io.Writer
	now     func() time.Time
	began   time.Time
	timeout time.Duration
	objects []selected
	profile string
	context string // of the kubeconfig; empty inside of a cluster
	quiet   bool
}

func namesOf(goals []observe.Goal) []string {
	names := make([]string, len(goals))
	for i, g := range goals {
		names[i] = g.Name
	}
	return names
}
