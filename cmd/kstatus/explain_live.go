package main

import (
	"context"
	"errors"
)

func (x *explainCommand) explainLive(ctx context.Context, args []string, j judge) error {
	return errors.New("not yet")
}
