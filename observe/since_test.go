package observe_test

import (
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// An object has its first status since the time of the condition that decides, and a
// later status since the update.
func TestSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		at := start.Add(-9 * time.Hour).UTC().Truncate(time.Second)
		since := func(e observe.Event) observe.Event {
			conditions := e.Object.UnstructuredContent()["status"].(map[string]any)["conditions"].([]any)
			conditions[0].(map[string]any)["lastTransitionTime"] = at.Format(time.RFC3339)
			return e
		}
		w := observe.Watcher{Source: sendPaced(since(widget("a", "False", "no", nil)), since(widget("b", "False", "", nil)), widget("c", "False", "no", nil), since(widget("a", "True", "", nil)))}
		want := map[string]time.Time{"a InProgress": at, "b InProgress": at, "c InProgress": start.Add(2 * time.Second), "a Current": start.Add(3 * time.Second)}
		for u, err := range w.Updates(contextWithTimeout(t, 10*time.Second), target("a"), target("b"), target("c")) {
			if err != nil {
				break // after the timeout
			}
			if key := u.Target.Name + " " + string(u.Result.Status); u.Result.Status != status.UnknownStatus {
				if !u.Since.Equal(want[key]) {
					t.Errorf("%s since %s, want %s", key, u.Since, want[key])
				}
				delete(want, key)
			}
		}
		if len(want) > 0 {
			t.Errorf("not seen: %v", want)
		}
	})
}
