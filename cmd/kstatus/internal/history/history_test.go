package history

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kstatus.dev/internal/duration"
	"kstatus.dev/status"
)

var historyNow = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func podID(name string) status.ID { return status.ID{Kind: status.Kind{Kind: "Pod"}, Name: name} }

func TestUsualDuration(t *testing.T) {
	for _, c := range []struct {
		it    string
		took  []int // seconds
		usual string
	}{
		{"tells nothing of what it does not know", nil, ""},
		{"tells nothing of two times", []int{100, 120}, ""},
		{"tells the middle one of three", []int{130, 10, 140}, "2m10s"},
		{"tells the middle of four", []int{130, 10, 140, 150}, "2m15s"},
		{"keeps the last ten", []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 60, 60, 60, 60, 60, 60}, "1m"},
	} {
		h, id := Durations{}, status.ID{Kind: status.Kind{Kind: "Deployment"}, Name: "web"}
		for _, s := range c.took {
			h.add(id, time.Duration(s)*time.Second, historyNow)
		}
		text := ""
		if usual, known := h.Usual(id); known {
			text = duration.Text(usual)
		}
		if text != c.usual {
			t.Errorf("it %s: %q, want %q", c.it, text, c.usual)
		}
	}
}

func TestUnusual(t *testing.T) {
	for _, c := range []struct {
		now, usual time.Duration
		want       bool
	}{
		{20 * time.Second, 5 * time.Second, false}, // four times as long, but shorter than half a minute
		{36 * time.Second, 5 * time.Second, true},
		{4 * time.Minute, 2 * time.Minute, false},
		{4*time.Minute + time.Second, 2 * time.Minute, true},
	} {
		if have := Unusual(c.now, c.usual); have != c.want {
			t.Errorf("unusual(%v, usually %v) = %v", c.now, c.usual, have)
		}
	}
}

// TestHistoryIsBounded checks that the newest entries are kept.
func TestHistoryIsBounded(t *testing.T) {
	h := Durations{}
	for i := range maxObjects + 5 {
		h.add(podID(fmt.Sprint("p", i)), time.Second, historyNow.Add(time.Duration(i)*time.Second))
	}
	if len(h) != maxObjects || h[podID("p4")] != nil || h[podID("p5")] == nil {
		t.Errorf("%d objects are kept, want the last %d", len(h), maxObjects)
	}
}

func TestHistoryFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new", "history.json")
	web := status.ID{Cluster: "prod", Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
	db := podID("db\"\n")
	if h, err := Read(name); err != nil || len(h) != 0 {
		t.Fatalf("a file that does not exist: %v, %v", h, err)
	}
	if err := Add(name, []Sample{{web, 90 * time.Second, historyNow}, {db, 1234 * time.Millisecond, historyNow}}); err != nil {
		t.Fatal(err)
	}
	const want = `{"v":1,"objects":[
{"context":"prod","group":"apps","kind":"Deployment","namespace":"shop","name":"web","last":"2026-11-21T12:00:00Z","seconds":[90]},
{"kind":"Pod","name":"db\"\n","last":"2026-11-21T12:00:00Z","seconds":[1.2]}
]}
`
	have, err := os.ReadFile(name)
	if err != nil || strings.TrimSpace(string(have)) != strings.TrimSpace(sortContextsFirst(want)) {
		t.Errorf("the file is\n%s(%v), want\n%s", have, err, want)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v (%v), want 0600", info.Mode(), err)
	}

	// Concurrent calls of Add lose no entry.
	var all sync.WaitGroup
	for range maxSamples - 1 {
		all.Go(func() {
			if err := Add(name, []Sample{{web, 90 * time.Second, historyNow}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	h, err := Read(name)
	if err != nil || h[web] == nil || len(h[web].Seconds) != maxSamples || h[db] == nil {
		t.Errorf("after %d additions: %+v (%v)", maxSamples, h, err)
	}
	if rest, err := filepath.Glob(name + ".*"); err != nil || len(rest) != 1 { // the lock file
		t.Errorf("beside the file there are %v (%v), want its lock", rest, err)
	}
}

// sortContextsFirst returns the text with contexts before kinds, in sorted order.
func sortContextsFirst(text string) string {
	lines := strings.Split(text, "\n")
	lines[1], lines[2] = strings.TrimSuffix(lines[2], ",")+",", strings.TrimSuffix(lines[1], ",")
	return strings.Join(lines, "\n")
}

func TestImpossibleDurations(t *testing.T) {
	h, err := parse([]byte(`{"v":1,"objects":[{"kind":"Pod","name":"p","seconds":[-1,1e99,3,4,5]}]}`))
	if p := h[podID("p")]; err != nil || p == nil || len(p.Seconds) != 3 {
		t.Errorf("times that cannot be: %+v (%v)", p, err)
	}
}
