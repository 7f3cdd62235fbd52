// Package reportfile has the flag --report, and writes the files that it requests.
package reportfile

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
)

// The values of --report without a file.
const (
	GitHub = "github"
	none   = "none"
)

// Flags hold the values of --report.
type Flags struct {
	Formats   []string // the formats that have a file
	HasGitHub bool     // github is a value, and the default in GitHub Actions
	texts     []string
}

// AddTo adds the flag to a command.
func (f *Flags) AddTo(cmd *cobra.Command, usage string) {
	cmd.Flags().StringArrayVar(&f.texts, "report", nil, usage)
	cli.CompleteWords(cmd, "report", append(slices.Clone(f.Formats), f.words()...))
}

// words returns the values without a file.
func (f *Flags) words() []string {
	if f.HasGitHub {
		return []string{GitHub, none}
	}
	return []string{none}
}

// A Request is a requested report.
type Request struct {
	Format string
	File   string // - for standard output
}

// Requests are the requested reports.
type Requests []Request

// Requests parses --report, and checks before the command begins that the files can be written.
// output is the value of -o.
func (f *Flags) Requests(env cli.Env, output string) (all Requests, err error) {
	isNone := false
	for _, text := range f.texts {
		for part := range strings.SplitSeq(text, ",") {
			format, file, _ := strings.Cut(part, "=")
			switch {
			case part == none:
				isNone = true
				continue
			case f.HasGitHub && part == GitHub && !slices.Contains(all, Request{Format: part}):
			case !slices.Contains(f.Formats, format) || file == "":
				return nil, exit.Usagef("--report %q: want FORMAT=FILE with a format of %s; or %s, once", part, strings.Join(f.Formats, ", "), strings.Join(f.words(), ", or "))
			case slices.ContainsFunc(all, func(w Request) bool { return w.File != "" && filepath.Clean(w.File) == filepath.Clean(file) }):
				return nil, exit.Usagef("--report %s: want another file than that of another report", part)
			case file == "-" && output != "text":
				return nil, exit.Usagef("--report %s cannot be used with -o %s, which is printed there", part, output)
			}
			all = append(all, Request{format, file})
		}
	}
	if isNone && len(all) > 0 {
		return nil, exit.Usagef("--report %s: want it alone, have %s as well", none, all[0].Format)
	}
	github := Request{Format: GitHub}
	if f.HasGitHub && !isNone && env.Getenv("GITHUB_ACTIONS") == "true" && !slices.Contains(all, github) {
		all = append(all, github)
	}
	for _, w := range all {
		if err := w.prepare(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// LogWriter returns the writer for all other output: standard output, unless a report is written
// there.
func (all Requests) LogWriter(env cli.Env) io.Writer {
	if slices.ContainsFunc(all, func(w Request) bool { return w.File == "-" }) {
		return env.Err
	}
	return env.Out
}

// Write writes a report to its file.
func (w Request) Write(env cli.Env, write func(io.Writer) error) error {
	if w.File == "-" {
		return write(env.Out)
	}
	return replaceFile(w.File, write)
}
