package status_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kstatus.dev/status"
)

// widgetWith returns an object of an unknown kind with the given status.
func widgetWith(fields map[string]any) status.Map {
	return status.Map{
		"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"name": "a", "namespace": "b", "creationTimestamp": "2020-01-01T00:00:00Z"},
		"status":   fields,
	}
}

// objectsWithState returns objects that report the state in different fields, by the description of
// the field.
func objectsWithState(word string) map[string]status.Map {
	all := map[string]status.Map{
		"the type of a True condition": widgetWith(map[string]any{"conditions": []any{map[string]any{"type": word, "status": "True"}}}),
		"lastOperation.state":          widgetWith(map[string]any{"lastOperation": map[string]any{"state": word}}),
	}
	for _, field := range []string{"phase", "state", "status", "health", "overallStatus"} {
		all[field] = widgetWith(map[string]any{field: word})
		all[field+" in small letters"] = widgetWith(map[string]any{field: strings.ToLower(word)})
	}
	return all
}

// These words mean a failure, or differ between projects. None of them means that an object is
// ready.
func TestWordsOfTroubleAreNotCurrent(t *testing.T) {
	failed := strings.Fields(`Damaged Impaired Unusable Inoperable Irrecoverable Nonrecoverable Infeasible Unfeasible Vulnerable Trouble Exploded Wedged
		Jammed Trapped Stranded Starved Overheated Overcommitted Oversubscribed Diverged Breached Hacked Missed OverAllocated UnderReplicated RateLimited
		Unreadable Misaligned Hung Flapping`)
	unknown := strings.Fields(`Partitioned Banned Tainted Cordoned Fenced Isolated Frozen Deallocated Restricted Questionable Locked Flagged
		Limited Ended Exited Possible Variable Mixed Frobbed Frobbable Frobbible Speed Unfrobbed Infrobbable`)
	check := func(words []string, want status.Status) {
		for _, w := range words {
			for where, object := range objectsWithState(w) {
				r, err := status.Compute(object)
				if err != nil {
					t.Fatal(err)
				}
				ok := r.Status == want
				if where == "the type of a True condition" && want == status.UnknownStatus { // it waits for a summary condition
					ok = r.Status == status.InProgressStatus && r.Reason == "NoSummary"
				}
				if where == "lastOperation.state" {
					ok = r.Status == want || want == status.UnknownStatus && r.Confidence == status.ConfidenceAssumed // a word for one aspect may have any meaning
				}
				if !ok {
					t.Errorf("%s is %s: %s %s: %s, want %s", where, w, r.Status, r.Reason, r.Message, want)
				}
			}
		}
	}
	check(failed, status.FailedStatus)
	check(unknown, status.UnknownStatus)
}

// An invented word makes no object Current, whatever its suffix.
func TestMadeUpWordsAreNotCurrent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var made strings.Builder
		for range 1 + random.IntN(3) { // no English word contains zq
			made.WriteString(strings.Repeat("zq", 1+random.IntN(2)))
			made.WriteByte("aeiou"[random.IntN(5)])
		}
		prefix := []string{"", "un", "re", "over", "In", "not", "Non"}[random.IntN(7)]
		ending := []string{"ed", "able", "ible", "ted", "bled", "ated"}[random.IntN(6)]
		w := prefix + made.String() + ending
		for where, object := range objectsWithState(w) {
			r, err := status.Compute(object)
			if err != nil {
				t.Fatal(err)
			}
			if r.Status == status.CurrentStatus && (r.Confidence != status.ConfidenceAssumed || where != "lastOperation.state") {
				t.Fatalf("%s is %s: Current, %s: %s", where, w, r.Reason, r.Message)
			}
		}
	}
}
