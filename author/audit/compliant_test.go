package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kstatus.dev/internal/decoded"
)

// TestCompliantControllers runs all rules on streams of correct controllers, from the
// first reconcile to the deletion. It expects no findings.
func TestCompliantControllers(t *testing.T) {
	files, err := filepath.Glob("testdata/good/*.stream")
	if err != nil || len(files) == 0 {
		t.Fatalf("streams in testdata/good: %d, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := violatedRules(t, Options{}, string(data)); len(got) != 0 {
				t.Errorf("it breaks %v", got)
			}
		})
	}
}

// TestCompliantControllersTogether merges these streams into one, each in its own
// namespace. It checks that the auditor keeps them apart, and that the metrics
// of each stay the same.
func TestCompliantControllersTogether(t *testing.T) {
	files, err := filepath.Glob("testdata/good/*.stream")
	if err != nil {
		t.Fatal(err)
	}
	var together []Write
	alone := map[ID]ObjectMetrics{}
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), " gap\n") {
			continue // all streams would share it
		}
		stream := inNamespace(parseStream(t, string(data)), "house-"+strconv.Itoa(i), i)
		a := New(Options{})
		for _, w := range stream {
			a.Add(w)
		}
		together = append(together, stream...)
		for _, m := range a.ObjectMetrics() {
			m.IdleSeconds, m.WritesPerIdleHour = 0, 0 // they last until the end of the longest stream
			alone[m.Object] = m
		}
	}
	slices.SortStableFunc(together, func(x, y Write) int { return x.Time.Compare(y.Time) })
	a := New(Options{})
	for _, w := range together {
		a.Add(w)
	}
	for _, f := range a.Findings() {
		t.Errorf("%s %s %s: %s", f.Rule, f.Object, f.Path, f.Evidence)
	}
	objects := a.ObjectMetrics()
	for _, m := range objects {
		if m.IdleSeconds, m.WritesPerIdleHour = 0, 0; !reflect.DeepEqual(m, alone[m.Object]) {
			t.Errorf("together %+v\nalone %+v", m, alone[m.Object])
		}
	}
	if len(objects) != len(alone) || len(objects) == 0 {
		t.Errorf("metrics of %d objects, want %d", len(objects), len(alone))
	}
}

// inNamespace puts the objects of a stream into another namespace, with unique
// resourceVersions.
func inNamespace(stream []Write, namespace string, number int) []Write {
	for i, w := range stream {
		if w.Object == nil {
			continue
		}
		o := merged(w.Object, map[string]any{}).(map[string]any)
		meta := decoded.Map(o, "metadata")
		meta["namespace"] = namespace
		if rv := decoded.Text(meta, "resourceVersion"); rv != "" {
			meta["resourceVersion"] = rv + fmt.Sprintf("%03d", number)
		}
		if about := decoded.Map(o, "regarding"); about != nil {
			about["namespace"] = namespace
		}
		stream[i].Object = o
	}
	return stream
}

// TestStreamsFromTheMiddle starts watching each stream after any of its writes, and
// has a gap after any. It expects no findings, as for the correct streams of
// the cases.
func TestStreamsFromTheMiddle(t *testing.T) {
	files, err := filepath.Glob("testdata/good/*.stream")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			fromTheMiddle(t, Options{}, string(data))
		})
	}
	for _, r := range Rules {
		t.Run(r.Name, func(t *testing.T) {
			c := caseOf(t, r)
			for i, stream := range c.keeps {
				t.Run(fmt.Sprint("keeps ", i+1), func(t *testing.T) { fromTheMiddle(t, c.options, stream) })
			}
		})
	}
}

func fromTheMiddle(t *testing.T, o Options, text string) {
	t.Helper()
	if strings.Contains(text, " gap") || strings.Contains(text, " existing") {
		return // the finding is about the start of the watch
	}
	stream := parseStream(t, text)
	for n := 1; n < len(stream); n++ {
		begun, broken := New(o), New(o)
		for _, w := range stream[:n] {
			broken.Add(w)
		}
		broken.Add(Write{Type: WriteGap, Time: stream[n-1].Time})
		for _, a := range []*Auditor{begun, broken} {
			for _, w := range slices.Concat(existingObjects(stream[:n]), stream[n:]) {
				a.Add(w)
			}
		}
		for _, f := range append(begun.Findings(), broken.Findings()...) {
			t.Errorf("after %d writes: %s %s %s: %s", n, f.Rule, f.Object, f.Path, f.Evidence)
		}
	}
}

// existingObjects lists the objects that exist after a part of a stream.
func existingObjects(stream []Write) (list []Write) {
	last := map[ID]Write{}
	for _, w := range stream {
		id, named := idOf(w.Object)
		switch {
		case !named || w.Request != nil && w.Request.Refused():
		case w.Type == WriteDeleted:
			delete(last, id)
		default:
			last[id] = w
		}
	}
	for _, w := range last {
		list = append(list, Write{Type: WriteAdded, Existing: true, Time: stream[len(stream)-1].Time, Object: w.Object})
	}
	slices.SortFunc(list, func(x, y Write) int {
		return strings.Compare(decoded.Text(x.Object, "metadata", "name"), decoded.Text(y.Object, "metadata", "name"))
	})
	return list
}
