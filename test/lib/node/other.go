//go:build !linux

package node

import (
	"context"
	"errors"

	"kstatus.dev/test/lib/node/image"
)

var errUnsupported = errors.New("real Nodes need Linux")

// Supported returns an error with the reason why this machine cannot run real Nodes.
func Supported() error { return errUnsupported }

// FindRunc returns an error.
func FindRunc() (installed string, found bool, err error) { return "", false, errUnsupported }

// Nodes does not exist on this system.
type Nodes struct{}

// New returns an error.
func New(context.Context, Options) (*Nodes, error) { return nil, errUnsupported }

func (*Nodes) EgressSocket() string                             { return "" }
func (*Nodes) Registry() *image.Registry                        { return nil }
func (*Nodes) Join(context.Context) error                       { return errUnsupported }
func (*Nodes) Stop() error                                      { return nil }
func (*Nodes) PowerOff(string) error                            { return errUnsupported }
func (*Nodes) PowerOn(context.Context, string) error            { return errUnsupported }
func (*Nodes) Terminate(context.Context, string, Program) error { return errUnsupported }
func (*Nodes) Start(context.Context, string, Program) error     { return errUnsupported }
