package word

import (
	"os"
	"strings"
	"testing"
)

// A wordCase is a line of testdata/words.cases.
type wordCase struct {
	line  int
	state Polarity
	role  Role
	text  string
}

var polarityNames = map[string]Polarity{
	"-": None, "neutral": Neutral, "ready": Ready, "suspended": Suspended, "progressing": Progressing, "failing": Failing,
}

var roleNames = map[string]Role{
	"-": RoleNone, "neutral": RoleNeutral, "positive": RolePositive, "likely": RoleLikely,
	"suspension": RoleSuspension, "progress": RoleProgress, "negative": RoleNegative,
}

func wordCases(t *testing.T) (all []wordCase) {
	t.Helper()
	data, err := os.ReadFile("testdata/words.cases")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.SplitN(line, " ", 3)
		if len(cells) < 3 {
			t.Fatalf("words.cases:%d: %q: want a polarity, a role and a text", i+1, line)
		}
		state, known := polarityNames[cells[0]]
		role, knownRole := roleNames[cells[1]]
		if !known || !knownRole {
			t.Fatalf("words.cases:%d: %q: want a polarity, a role and a text", i+1, line)
		}
		all = append(all, wordCase{i + 1, state, role, cells[2]})
	}
	return all
}

func TestWords(t *testing.T) {
	for _, c := range wordCases(t) {
		t.Run(c.text, func(t *testing.T) {
			if got := State(c.text); got != c.state {
				t.Errorf("words.cases:%d: State(%q) = %d, want %d", c.line, c.text, got, c.state)
			}
			if got := ConditionType(c.text); got != c.role {
				t.Errorf("words.cases:%d: ConditionType(%q) = %d, want %d", c.line, c.text, got, c.role)
			}
		})
	}
}

func TestVocabularyHasCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range wordCases(t) {
		var room [maxPhraseWords]byte
		seen[string(squeezed(room[:0], c.text))] = true
		r := reader{text: c.text}
		for w := r.next(); len(w) > 0; w = r.next() {
			seen[string(w)] = true
		}
	}
	for w := range vocabulary {
		if !seen[w] {
			t.Errorf("words.cases has no text with the word %q", w)
		}
	}
	for w := range nouns {
		if !seen[w] {
			t.Errorf("words.cases has no text with the noun %q", w)
		}
	}
	for p := range phrases {
		if !seen[p] {
			t.Errorf("words.cases has no text that is the phrase %q", p)
		}
	}
}

func TestPhrasesAreNotTooLong(t *testing.T) {
	for p := range phrases {
		if len(p) > maxPhraseWords {
			t.Errorf("%q is longer than %d", p, maxPhraseWords)
		}
	}
}

func TestVocabularyHasEachWordOnce(t *testing.T) {
	count := map[string]int{}
	for _, list := range polarities {
		for _, w := range strings.Fields(list) {
			count[w]++
		}
	}
	for _, list := range classes {
		for _, w := range strings.Fields(list) {
			count[w]++
		}
	}
	for w, n := range count {
		if n > 1 {
			t.Errorf("the vocabulary has %q %d times", w, n)
		}
		if w != strings.ToLower(w) {
			t.Errorf("%q has a capital", w)
		}
	}
}

func TestReason(t *testing.T) {
	for text, want := range map[string]Polarity{
		"":                                       None,
		"Reconciled":                             Ready,
		"ImagePullBackOff":                       Failing,
		"NotReady":                               Progressing,
		"ScalingUp":                              Progressing,
		"WaitingForBinding":                      Progressing,
		"DatabaseUpgrading":                      Progressing,
		"ClusterExamplingNodes":                  None, // a gerund in the middle names a thing
		"PublishingStrategyExcludesLoadBalancer": Progressing,
	} {
		t.Run(text, func(t *testing.T) {
			if got := Reason(text); got != want {
				t.Errorf("Reason(%q) = %d, want %d", text, got, want)
			}
		})
	}
}

func TestEndsInGerund(t *testing.T) {
	for text, want := range map[string]bool{
		"":                     false,
		"ContinuousArchiving":  true,
		"ContinuousArchivingX": true, // X is not a word
		"ArchivingReady":       false,
		"Progressing":          false, // a word of the vocabulary
		"Monitoring":           false, // a noun
	} {
		t.Run(text, func(t *testing.T) {
			if got := EndsInGerund(text); got != want {
				t.Errorf("EndsInGerund(%q) = %t, want %t", text, got, want)
			}
		})
	}
}

func TestWhy(t *testing.T) {
	for _, c := range []struct {
		name, reason, message string
		want                  Cause
	}{
		{"has no cause without a text", "", "", CauseUnspecified},
		{"has no cause if a word repeats the status", "Unavailable", "", CauseUnspecified},
		{"is an error by a word of the reason", "ReconcileFailed", "", CauseError},
		{"is an error by the end of the reason", "SecretNotFound", "", CauseError},
		{"is an error by the beginning of the reason", "ErrApply", "", CauseError},
		{"is an error if something was not found", "NoSecretFound", "", CauseError},
		{"is an error although the reason names a step", "Reconciling", "failed to apply the Service", CauseError},
		{"is an error after a colon", "Reconciling", "apply: error: denied", CauseError},
		{"is an error by the message", "Reason", "the Secret does not exist", CauseError},
		{"waits by the reason, whatever else the message contains", "Reconciling", "the Secret does not exist", CauseWaiting},
		{"waits by the beginning of the message", "", "waiting for a missing Secret", CauseWaiting},
		{"waits by the message", "", "the Secret is pending", CauseWaiting},
		{"is no error for a count of zero", "", "3 ready, failed: 0, 2 old", CauseUnspecified},
		{"is no error for the absence of errors", "", "3 ready without errors", CauseUnspecified},
		{"is no error for a failover", "", "3 ready after failover", CauseUnspecified},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Why(c.reason, c.message); got != c.want {
				t.Errorf("Why(%q, %q) = %d, want %d", c.reason, c.message, got, c.want)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	list := []string{"Ready", "Status"}
	for _, c := range []struct {
		name      string
		got, want bool
	}{
		{"Is finds a word in capitals", Is("READY", "done", "ready"), true},
		{"Is finds no part of a word", Is("readyz", "done", "ready"), false},
		{"HasAnyPrefix finds a beginning", HasAnyPrefix("StatusCode", list), true},
		{"HasAnyPrefix finds no end", HasAnyPrefix("podStatus", list), false},
		{"HasAnySuffix finds an end", HasAnySuffix("podStatus", list), true},
		{"HasAnySuffix finds no beginning", HasAnySuffix("StatusCode", list), false},
		{"ContainsAny finds a middle", ContainsAny("podReadyNow", list), true},
		{"ContainsAny finds nothing else", ContainsAny("podready", list), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("have %t, want %t", c.got, c.want)
			}
		})
	}
}

// FuzzMadeUpWord checks that the suffixes of participles and adjectives have no meaning. A word
// that is neither in the vocabulary nor the opposite of one has no meaning.
func FuzzMadeUpWord(f *testing.F) {
	for _, stem := range []string{"frobb", "undon", "zz", "interloc", "overkill", "unst", "dis", "in"} {
		f.Add(stem)
	}
	f.Fuzz(func(t *testing.T, stem string) {
		stem = strings.ToLower(stem)
		if strings.Trim(stem, "abcdefghijklmnopqrstuvwxyz") != "" || len(stem) > 16 {
			t.Skip("no letters of a word, or more than are read")
		}
		for _, ending := range []string{"ed", "able", "ible", "bled"} {
			w := stem + ending
			if _, known := vocabulary[w]; known || opposite([]byte(w)) != (sense{}) || phrases[w] != None {
				continue
			}
			for _, text := range []string{w, strings.ToUpper(w), "Cluster" + strings.ToUpper(w[:1]) + w[1:], "all of it " + w} {
				if got := State(text); got != None {
					t.Errorf("State(%q) = %d, want %d", text, got, None)
				}
				if got := ConditionType(text); got != RoleNone {
					t.Errorf("ConditionType(%q) = %d, want %d", text, got, RoleNone)
				}
			}
		}
	})
}

func TestReportsError(t *testing.T) {
	for message, want := range map[string]bool{
		"":                                    false,
		"Error: no pool matches the selector": true,
		"Failed to reach the registry":        true,
		"rpc error: code = Unavailable":       true,
		"the widget was not accepted: size is missing":     true,
		"hostname * is not a valid name":                   true,
		"no errors were found":                             false,
		"nothing has failed":                               false,
		"0 failed, 3 succeeded":                            false,
		"the terror: a tale":                               false,
		"every request that was not accepted is retried":   false,
		"it is unclear whether the peer could not be seen": true,
	} {
		t.Run(message, func(t *testing.T) {
			if got := ReportsError(message); got != want {
				t.Errorf("ReportsError(%q) = %v, want %v", message, got, want)
			}
		})
	}
}
