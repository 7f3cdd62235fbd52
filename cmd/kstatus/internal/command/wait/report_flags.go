package wait

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// The values of --report. A value with a file is written to the file.
const (
	reportGitHub = "github"
	reportNone   = "none"
)

var reportFormats = []string{"junit", "json", "md", "html"}

const reportUsage = "Report of the wait as `FORMAT=FILE`, with junit, json, md or html, and - for standard output. github writes annotations and a summary, " +
	"and is the default in GitHub Actions. none writes no report. Can be repeated, or separated by commas."

// A reportFlags holds the values of --report.
type reportFlags struct {
	texts         []string
	command       []string // the command line
	writesReports bool     // the command writes reports
}

func (f *reportFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.texts, "report", nil, reportUsage)
	cli.CompleteWords(cmd, "report", append(slices.Clone(reportFormats), reportGitHub, reportNone))
}

// A reportRequest is a requested report.
type reportRequest struct {
	format string
	file   string // - for standard output
}

// reportRequests are the requested reports.
type reportRequests []reportRequest

// requests parses --report, and checks before the wait that the files can be written.
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
				return nil, exit.Usagef("--report %s cannot be used with -o %s, which is printed there", part, output)
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
	f.writesReports = len(all) > 0
	return all, nil
}

// logWriter returns the writer for all other output: standard output, unless a report is written
// there.
func (all reportRequests) logWriter(env cli.Env) io.Writer {
	if slices.ContainsFunc(all, func(w reportRequest) bool { return w.file == "-" }) {
		return env.Err
	}
	return env.Out
}

// prepare checks before the wait that the file of a report can be written.
func (w reportRequest) prepare() error {
	if w.file == "" || w.file == "-" {
		return nil
	}
	dir := filepath.Dir(w.file)
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = checkReportFile(w.file, dir)
	}
	if err != nil {
		return exit.Usagef("--report %s=%s: %w", w.format, w.file, err)
	}
	return nil
}

// checkReportFile checks that a file can be written or replaced. It returns an error for a
// symbolic link to another directory, since another user may have created it.
func checkReportFile(file, dir string) error {
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return checkFolder(dir)
	case err != nil:
		return err
	case info.Mode().Type() == fs.ModeSymlink && filepath.Clean(dir) == "/dev":
		return nil // standard output of any type
	case info.Mode().Type() == fs.ModeSymlink:
		real, err := filepath.EvalSymlinks(file)
		if err != nil {
			return fmt.Errorf("want a file, have a link that leads nowhere: %w", err)
		}
		if info, err = os.Stat(real); err != nil {
			return err
		}
		home, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() && filepath.Dir(real) != home {
			return fmt.Errorf("want a file, have a link to %s", real)
		}
	}
	switch {
	case info.IsDir():
		return errors.New("want a file, have a directory")
	case info.Mode().Type() == fs.ModeSocket:
		return errors.New("want a file, have a socket")
	case !info.Mode().IsRegular():
		return nil // a pipe or a device: opening it may block until it has a reader
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), checkFolder(dir))
}

// checkFolder checks that files can be created in a directory: a report replaces the old file.
func checkFolder(dir string) error {
	f, err := os.CreateTemp(dir, ".kstatus-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// checkInputs returns an error if a report would replace an input file.
func (all reportRequests) checkInputs(files []string) error {
	for _, w := range all {
		for _, file := range files {
			to, err := os.Stat(w.file)
			from, ferr := os.Stat(file)
			if err == nil && ferr == nil && to.Mode().IsRegular() && os.SameFile(to, from) {
				return exit.Usagef("--report %s=%s: want another file than that of -f", w.format, w.file)
			}
		}
	}
	return nil
}

// commandLine returns the command line for reports, with the flags in order and without secrets.
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
