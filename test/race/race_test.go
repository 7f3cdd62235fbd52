package race_test

import (
	"flag"
	"os"
	"testing"

	"kstatus.dev/test/cluster"
	"kstatus.dev/test/race"
)

var (
	live cluster.Shared
	runs = flag.Int("runs", 3, "how often each controller is waited for by each user")
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(live.Main(m))
}

// No wait ends before the controller has looked at what was applied, and none
// that nothing but its timeout ends.
func TestRace(t *testing.T) {
	rows, err := race.Run(t.Context(), live.Cluster(t), race.Options{Runs: *runs, AtOnce: 40, Modes: race.Modes()})
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
	if want := 4 * len(race.Modes()); len(rows) != want {
		t.Errorf("have %d rows, want %d", len(rows), want)
	}
}
