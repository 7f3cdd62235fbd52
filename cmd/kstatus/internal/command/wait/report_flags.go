package wait

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/terminal"
)

// The values of --report. Those with a file are written there.
const (
	reportGitHub = "github"
	reportNone   = "none"
)

var reportFormats = []string{"junit", "json", "md", "html"}

const reportUsage = "what to tell of the wait when it is over, `FORMAT=FILE` with a format of junit, json, md, html, and - for standard output, or github " +
	"for annotations and a summary, which is the default in GitHub Actions; none: nothing; repeatable, or several separated by commas"

// A reportFlags holds what --report asks for.
type reportFlags struct {
	texts   []string
	command []string // the command line
	tells   bool     // there are reports to write
}

func (f *reportFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.texts, "report", nil, reportUsage)
	cli.CompleteWords(cmd, "report", append(slices.Clone(reportFormats), reportGitHub, reportNone))
}

// A reportRequest is a report that is requested.
type reportRequest struct {
	format string
	file   string // - for standard output
}

// Reports that are requested.
type reportRequests []reportRequest

// requests reads --report, and makes sure before anything is waited for that the
// files can be written.
func (f *reportFlags) requests(env cli.Env, output string) (all reportRequests, err error) {
	none := false
	for _, text := range f.texts {
		for part := range strings.SplitSeq(text, ",") {
			format, file, _ := strings.Cut(part, "=")
			switch {
			case part == reportNone:
				none = true
				continue
			case part == reportGitHub && !slices.Contains(all, reportRequest{format: part}):
			case !slices.Contains(reportFormats, format) || file == "":
				return nil, exit.Usagef("--report %q: want FORMAT=FILE with a format of %s; or %s, or %s, once", part, strings.Join(reportFormats, ", "), reportGitHub, reportNone)
			case slices.ContainsFunc(all, func(w reportRequest) bool { return w.file != "" && filepath.Clean(w.file) == filepath.Clean(file) }):
				return nil, exit.Usagef("--report %s: want another file than that of another report", part)
			case file == "-" && output != "text":
				return nil, exit.Usagef("--report %s: want it without -o %s, which is printed there", part, output)
			}
			all = append(all, reportRequest{format, file})
		}
	}
	if none && len(all) > 0 {
		return nil, exit.Usagef("--report %s: want it alone, have %s as well", reportNone, all[0].format)
	}
	github := reportRequest{format: reportGitHub}
	if !none && env.Getenv("GITHUB_ACTIONS") == "true" && !slices.Contains(all, github) {
		all = append(all, github)
	}
	for _, w := range all {
		if err := w.prepare(); err != nil {
			return nil, err
		}
	}
	f.tells = len(all) > 0
	return all, nil
}

// beside returns where what is not a report is printed: on standard output,
// unless a report is.
func (all reportRequests) logWriter(env cli.Env) io.Writer {
	if slices.ContainsFunc(all, func(w reportRequest) bool { return w.file == "-" }) {
		return env.Err
	}
	return env.Out
}

// prepare makes sure, before anything is waited for, that reports have a folder.
func (w reportRequest) prepare() error {
	if w.file == "" || w.file == "-" {
		return nil
	}
	if info, err := os.Stat(w.file); err == nil && info.IsDir() {
		return exit.Usagef("--report %s=%s: want a file, have a directory", w.format, w.file)
	}
	if err := os.MkdirAll(filepath.Dir(w.file), 0o755); err != nil {
		return exit.Usagef("--report %s=%s: %w", w.format, w.file, err)
	}
	return nil
}

// commandLine returns the command line as it may be told: the flags in order, and
// no secret among them.
func commandLine(cmd *cobra.Command, args []string) []string {
	all := strings.Fields(cmd.CommandPath())
	for _, arg := range args {
		all = append(all, terminal.RedactURL(arg))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			values = many.GetSlice()
		}
		for _, value := range values {
			if f.Name == "token" || f.Name == "password" {
				value = terminal.Redaction
			}
			if f.NoOptDefVal != "" && f.NoOptDefVal == value {
				all = append(all, "--"+f.Name)
				continue
			}
			all = append(all, "--"+f.Name+"="+terminal.RedactURL(value))
		}
	})
	return all
}
