package race_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"kstatus.dev/test/engine/race"
	"kstatus.dev/test/lib/cluster"
)

// users is the number of users who wait.
const users = 4

var (
	live cluster.Shared
	runs = flag.Int("runs", 1, "how often each controller is waited for by each user")
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(live.Main(m))
}

// No wait ends before the controller has looked at the applied version, and none ends only by
// its timeout.
func TestRace(t *testing.T) {
	t.Parallel()
	rows, err := race.Run(t.Context(), live.Cluster(t), race.Options{Runs: *runs, AtOnce: 40, Group: "race.example.com", Modes: race.Modes()})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		assumed := 0
		if row.Mode == "never writes" {
			assumed = row.Runs
		}
		if row.Runs != *runs || row.Early != 0 || row.TimedOut != 0 || row.Assumed != assumed {
			t.Errorf("%+v, want %d runs and %d of them assumed", row, *runs, assumed)
		}
	}
	if want := users * len(race.Modes()); len(rows) != want {
		t.Errorf("have %d rows, want %d", len(rows), want)
	}
}

// The ways to wait on the page for users of cli-utils do not end earlier. They wait forever for
// a controller that never reports, because they set no FirstStatus.
func TestPagesWait(t *testing.T) {
	t.Parallel()
	o := race.Options{Runs: 1, AtOnce: 40, Group: "pages.example.com", Modes: race.Modes(), Ways: race.Ways()}
	rows, err := race.Run(t.Context(), live.Cluster(t), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		timedOut := 0
		if row.Mode == "never writes" {
			timedOut = 1
		}
		if row.Runs != 1 || row.Early != 0 || row.Assumed != 0 || row.TimedOut != timedOut {
			t.Errorf("%+v, want one run, not early, and %d timed out", row, timedOut)
		}
	}
	if want := users * len(o.Modes) * len(o.Ways); len(rows) != want {
		t.Errorf("have %d rows, want %d", len(rows), want)
	}
}

// The watcher and the poller of dropin in the mode right do not end earlier. It counts a status that may belong
// to an earlier generation only after a while.
func TestDropinWaits(t *testing.T) {
	t.Parallel()
	o := race.Options{Runs: *runs, AtOnce: 40, Group: "dropin.example.com", Modes: race.Modes(), Ways: race.DropinWays()}
	rows, err := race.Run(t.Context(), live.Cluster(t), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		timedOut := 0
		if !row.Definitions && row.Way == "dropin-poller" {
			continue // it judges the objects alone
		}
		unknown := !row.Definitions && row.Way == "dropin"
		if row.Mode == "never writes" || unknown && strings.HasSuffix(row.Mode, "no status subresource") {
			timedOut = row.Runs // each report changes the generation, which only the schema explains
		}
		if row.Runs != *runs || row.Early != 0 || row.TimedOut > timedOut {
			t.Errorf("%+v, want %d runs, none early, and at most %d timed out", row, *runs, timedOut)
		}
	}
}
