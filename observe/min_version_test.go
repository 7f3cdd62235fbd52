package observe_test

import (
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
)

// version returns a Current widget with a version.
func version(uid string, generation int64, resource string) observe.Event {
	return widget("a", "True", "", map[string]any{"uid": uid, "generation": generation, "resourceVersion": resource})
}

func TestMinVersion(t *testing.T) {
	full := observe.Version{UID: "u1", Generation: 3, ResourceVersion: "100"}
	rows := []struct {
		it     string
		least  observe.Version
		goal   observe.Goal
		source scriptedSource
		want   []string
	}{
		{"requires nothing if nothing is known", observe.Version{}, goal.Current(), sendAll(version("u9", 1, "1")),
			[]string{"0s a Current/Reconciled met"}},
		{"is reached by the same version", full, goal.Current(), sendAll(version("u1", 3, "100")),
			[]string{"0s a Current/Reconciled met"}},
		{"is reached by a later version", full, goal.Current(), sendAll(version("u1", 4, "1000")),
			[]string{"0s a Current/Reconciled met"}},
		{"rejects an earlier generation", observe.Version{UID: "u1", Generation: 3}, goal.Current(),
			sendAt(timedEvent{0, version("u1", 2, "99")}, timedEvent{time.Second, version("u1", 3, "100")}),
			[]string{"0s a InProgress/LatestGenerationNotObserved open", "1s a Current/Reconciled met"}},
		{"rejects an earlier resourceVersion, compared as a number", full, goal.Current(),
			sendAt(timedEvent{0, version("u1", 3, "99")}, timedEvent{time.Second, version("u1", 3, "101")}),
			[]string{"0s a InProgress/LatestGenerationNotObserved open", "1s a Current/Reconciled met"}},
		{"requires the same version once if versions are not numbers", observe.Version{ResourceVersion: "b"}, goal.Current(),
			sendAt(timedEvent{0, version("u1", 1, "a")}, timedEvent{time.Second, version("u1", 1, "b")}, timedEvent{2 * time.Second, version("u1", 1, "c")}),
			[]string{"0s a InProgress/LatestGenerationNotObserved open", "1s a Current/Reconciled met"}},
		{"fails at once if another object has the name", full, goal.Current(), sendAll(version("u2", 1, "200")),
			[]string{"0s a NotFound/Replaced failed"}},
		{"fails at once if the object was deleted before it was seen", full, goal.Current(), sendAll(missing("a")),
			[]string{"0s a NotFound/Deleted failed"}},
		{"fails at once if the object is being deleted", full, goal.Current(),
			sendAt(timedEvent{0, version("u1", 3, "100")}, timedEvent{time.Second, missing("a")}, timedEvent{2 * time.Second, version("u2", 1, "200")}),
			[]string{"0s a Current/Reconciled met", "1s a NotFound/Deleted failed", "2s a NotFound/Replaced failed"}},
		{"waits for a missing object without a UID", observe.Version{Generation: 1}, goal.Current(), sendAll(missing("a")),
			[]string{"0s a NotFound/NeverSeen missing"}},
		{"treats another object as a deletion", full, goal.Deleted(), sendAll(version("u2", 1, "200")),
			[]string{"0s a NotFound/Replaced met"}},
		{"does not accept another object than the one to be created", full, goal.Created(), sendAll(version("u2", 1, "200")),
			[]string{"0s a NotFound/Replaced failed"}},
		{"does not read the conditions of an earlier version", full, goal.Condition("Ready", "True"), sendAll(version("u1", 2, "100")),
			[]string{"0s a InProgress/LatestGenerationNotObserved open"}},
		{"is not needed for unreadable objects", full, goal.Current(), sendAll(unreadable("a", "Forbidden")),
			[]string{"0s a Unknown/Forbidden barred"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{
					Source:       row.source,
					Requirements: observe.Requirements{Goals: []observe.Goal{row.goal}},
					MinVersion:   func(observe.Target) observe.Version { return row.least },
				}
				expect(t, history(t, w, target("a")), row.want...)
			})
		})
	}
}

func TestMinVersionMessages(t *testing.T) {
	least := func(observe.Target) observe.Version { return observe.Version{Generation: 3, ResourceVersion: "100"} }
	for _, row := range []struct {
		it   string
		seen observe.Event
		want string
	}{
		{"names the generations", version("u1", 2, "100"), "its last known state is from before the change: generation is 2, the change made it 3"},
		{"names the resourceVersions", version("u1", 3, "99"), `its last known state is from before the change: resourceVersion is "99", the change made it "100"`},
	} {
		t.Run(row.it, func(t *testing.T) {
			for u, err := range (observe.Watcher{Source: sendAll(row.seen), MinVersion: least}).Updates(t.Context(), target("a")) {
				if err != nil || u.Result.Message != row.want {
					t.Errorf("have %q, %v, want %q", u.Result.Message, err, row.want)
				}
				break
			}
		})
	}
}
