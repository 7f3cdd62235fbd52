// Release prepares releases of the modules of this repository:
//
//	release check         simulate a release of the last commit, and use it as others do
//	release tidy [-check] tidy go.mod and go.sum of every module, or only check that they are tidy
//	release floor         test the libraries at the oldest versions that they require
//	release api           compare exported names with those of the last release
//	release next VERSION  choose the version that is released next
//	release sums          complete go.sum, as the last commit before the tags
//	release tags          print the tags of the release
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"kstatus.dev/test/cmd/internal/release"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("want one of check, tidy [-check], floor, api, next VERSION, sums, tags")

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	w, err := release.Open(".", func(line string) { fmt.Println(line) })
	if err != nil {
		return err
	}
	switch verb, rest := args[0], args[1:]; {
	case verb == "check" && len(rest) == 0:
		return w.Check(ctx)
	case verb == "tidy" && (len(rest) == 0 || slices.Equal(rest, []string{"-check"})):
		return w.Tidy(ctx, len(rest) == 0)
	case verb == "floor" && len(rest) == 0:
		return w.Floor(ctx)
	case verb == "api" && len(rest) == 0:
		return w.CompareAPI(ctx)
	case verb == "next" && len(rest) == 1:
		return w.Next(rest[0])
	case verb == "sums" && len(rest) == 0:
		return w.WriteSums(ctx)
	case verb == "tags" && len(rest) == 0:
		for _, tag := range w.Tags() {
			fmt.Println(tag)
		}
		return nil
	}
	return errUsage
}
