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
		facts, asked := readCase(t, files[which])
		random := rand.New(rand.NewSource(seed))
		for i := range facts.Objects {
			change(&facts.Objects[i], random, text)
		}
		for i := range facts.Events {
			if random.Intn(4) == 0 {
				facts.Events[i].Message = mixed(random, facts.Events[i].Message, text)
			}
		}
		holds(t, files[which], facts, asked)
		explanation := jsonOf(t, Explain(facts, asked...))
		if strings.Contains(explanation, hidden) {
			t.Errorf("it tells the value of an env variable or an argument: %s", explanation)
		}
		for range 2 {
			random.Shuffle(len(facts.Objects), reflect.Swapper(facts.Objects))
			random.Shuffle(len(facts.Events), reflect.Swapper(facts.Events))
			random.Shuffle(len(facts.Logs), reflect.Swapper(facts.Logs))
			random.Shuffle(len(facts.Gaps), reflect.Swapper(facts.Gaps))
			if again := jsonOf(t, Explain(facts, asked...)); again != explanation {
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
		obj, _ = spoil(random, obj).(map[string]any)
	}
	obj, _ = strewn(random, obj, text).(map[string]any)
	hide(obj)
	result, reads, err := (&status.Evaluator{}).Explain(status.Map(obj))
	if err != nil {
		return // an object that cannot be judged is not explained
	}
	thing.Object, thing.Result, thing.Reads = obj, *result, reads
}

// strewn returns a copy of a value with the text in one of thirty strings.
func strewn(random *rand.Rand, v any, text string) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for _, key := range fields.Keys(v, nil) {
			m[key] = strewn(random, v[key], text)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = strewn(random, v[i], text)
		}
		return list
	case string:
		if random.Intn(30) == 0 {
			return mixed(random, v, text)
		}
	}
	return v
}

// mixed inserts a text into another one, up to 20 times.
func mixed(random *rand.Rand, into, text string) string {
	at := random.Intn(len(into) + 1)
	return into[:at] + strings.Repeat(text, random.Intn(20)) + into[at:]
}

// hide inserts the hidden text into each container of an object.
func hide(v any) {
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
			hide(item)
		}
	case []any:
		for _, item := range v {
			hide(item)
		}
	}
}
