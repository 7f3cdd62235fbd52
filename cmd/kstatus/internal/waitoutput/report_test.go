package waitoutput

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/internal/annotation"
	"kstatus.dev/observe"
	"kstatus.dev/report"
)

// A summary stays within the size limit, since GitHub drops a longer one.
func TestSummaryFitsItsFile(t *testing.T) {
	for _, there := range []int{0, annotation.SummaryLimit - 2000, annotation.SummaryLimit - 100, annotation.SummaryLimit, annotation.SummaryLimit + 1} {
		file := filepath.Join(t.TempDir(), "summary")
		if err := os.WriteFile(file, bytes.Repeat([]byte("x"), there), 0o644); err != nil {
			t.Fatal(err)
		}
		run := report.New(report.Start{Time: time.Now()})
		run.End(new(observe.Board), report.Result{Time: time.Now(), Outcome: "error", ExitCode: 1, Error: strings.Repeat("long ", 500)})
		p := &reportView{env: cli.Env{Environ: []string{"GITHUB_STEP_SUMMARY=" + file}}, run: run}
		if err := p.summarize(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > int64(max(there, annotation.SummaryLimit)) || there == 0 && info.Size() == 0 {
			t.Errorf("a summary of %d bytes has %d now", there, info.Size())
		}
	}
}
