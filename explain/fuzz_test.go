package explain

import (
	"encoding/json"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/status"
)

// hidden is a text that must never be printed: the value of an environment variable and
// an argument of a command.
const hidden = "h1dd3n-v4lu3"

// FuzzExplain explains cases with random changes: fields of other types, and the fuzzer's
// text in fields and messages. The explanation must not depend on the order of the facts,
// and must give evidence for each cause. It must not print control characters, nor values
// of environment variables and arguments.
func FuzzExplain(f *testing.F) {
	files := caseFiles(f)
	for i := range files {
		f.Add(i, int64(i), "not found\x1b[31m\u202e "+files[i])
	}
	f.Fuzz(func(t *testing.T, which int, seed int64, text string) {
		which = int(uint(which) % uint(len(files)))
		text = text[:min(len(text), 2<<10)]
		facts, requested := readCase(t, files[which])
		random := rand.New(rand.NewSource(seed))
		for i := range facts.Objects {
			change(&facts.Objects[i], random, text)
		}
		for i := range facts.Events {
			if random.Intn(4) == 0 {
				facts.Events[i].Message = insertRepeated(random, facts.Events[i].Message, text)
			}
		}
		checkExplanation(t, files[which], facts, requested)
		explanation := jsonOf(t, Explain(facts, requested...))
		if strings.Contains(explanation, hidden) {
			t.Errorf("it tells the value of an env variable or an argument: %s", explanation)
		}
		for range 2 {
			random.Shuffle(len(facts.Objects), reflect.Swapper(facts.Objects))
			random.Shuffle(len(facts.Events), reflect.Swapper(facts.Events))
			random.Shuffle(len(facts.Logs), reflect.Swapper(facts.Logs))
			random.Shuffle(len(facts.Gaps), reflect.Swapper(facts.Gaps))
			if again := jsonOf(t, Explain(facts, requested...)); again != explanation {
				t.Fatalf("it depends on the order of the facts:\n%s\n%s", explanation, again)
			}
		}
	})
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// change hides a value in the containers of an object, changes one in three, and judges
// them again.
func change(thing *ObjectFact, random *rand.Rand, text string) {
	if thing.Object == nil {
		return
	}
	obj := map[string]any(thing.Object)
	if random.Intn(3) == 0 {
		obj, _ = changeTypes(random, obj).(map[string]any)
	}
	obj, _ = insertIntoStrings(random, obj, text).(map[string]any)
	insertHidden(obj)
	result, reads, err := (&status.Evaluator{}).Explain(status.Map(obj))
	if err != nil {
		return // an object that cannot be judged is not explained
	}
	thing.Object, thing.Result, thing.Reads = obj, *result, reads
}

// insertIntoStrings returns a copy of a value with the text in one of thirty strings.
func insertIntoStrings(random *rand.Rand, v any, text string) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for _, key := range fields.Keys(v, nil) {
			m[key] = insertIntoStrings(random, v[key], text)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = insertIntoStrings(random, v[i], text)
		}
		return list
	case string:
		if random.Intn(30) == 0 {
			return insertRepeated(random, v, text)
		}
	}
	return v
}

// insertRepeated inserts a text into another one, up to 20 times.
func insertRepeated(random *rand.Rand, into, text string) string {
	at := random.Intn(len(into) + 1)
	return into[:at] + strings.Repeat(text, random.Intn(20)) + into[at:]
}

// insertHidden inserts the hidden text into each container of an object.
func insertHidden(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, list := range [...]string{"containers", "initContainers"} {
			items, _ := v[list].([]any)
			for _, item := range items {
				if c, ok := item.(map[string]any); ok {
					env, _ := c["env"].([]any)
					c["env"] = append(slices.Clone(env), map[string]any{"name": "HIDDEN", "value": hidden})
					c["args"] = []any{hidden}
				}
			}
		}
		for _, item := range v {
			insertHidden(item)
		}
	case []any:
		for _, item := range v {
			insertHidden(item)
		}
	}
}
