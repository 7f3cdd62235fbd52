package e2e

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/test/lib/manifest"
)

// editWatches returns a config that changes each line of the watches of ConfigMaps. An empty line
// is dropped.
func editWatches(config *rest.Config, edit func(line []byte) []byte) *rest.Config {
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripFunc(func(r *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(r)
			if err == nil && r.URL.Query().Get("watch") != "" && strings.HasSuffix(r.URL.Path, "/configmaps") {
				response.Body = &editor{ReadCloser: response.Body, lines: bufio.NewReader(response.Body), edit: edit}
			}
			return response, err
		})
	})
	return config
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (t roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

type editor struct {
	io.ReadCloser
	lines *bufio.Reader
	rest  []byte
	edit  func([]byte) []byte
}

func (e *editor) Read(p []byte) (int, error) {
	for len(e.rest) == 0 {
		line, err := e.lines.ReadBytes('\n')
		if err != nil {
			return 0, err
		}
		e.rest = e.edit(line)
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func annotated(name, value string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", annotations: {a: \"" + value + "\"}}\n"
}

// A watch alone is not sufficient evidence that an object was deleted.
func TestDeletionsAreConfirmed(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, annotated("m", "1"))
	config := editWatches(c.Config(), func(line []byte) []byte {
		return bytes.Replace(line, []byte(`{"type":"MODIFIED"`), []byte(`{"type":"DELETED"`), 1)
	})
	changed := make(chan string, 100)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- (&source.Cluster{Config: config, ReadConfigMapData: true}).Observe(ctx, []observe.Target{manifest.Target("", "ConfigMap", ns, "m")}, func(s observe.Event) bool {
			switch {
			case s.Err != nil:
				changed <- s.Err.Error()
			case s.Object == nil:
				changed <- "gone"
			default:
				meta := s.Object.UnstructuredContent()["metadata"].(map[string]any)
				changed <- meta["annotations"].(map[string]any)["a"].(string)
			}
			return true
		})
	}()
	var seen []string
	next := func() {
		select {
		case what := <-changed:
			seen = append(seen, what)
		case <-time.After(longTimeout):
			seen = append(seen, "nothing")
		}
	}
	next()
	c.Apply(t, ns, annotated("m", "2"))
	next()
	c.Delete(t, ns, manifest.ConfigMap("m"))
	next()
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if text := strings.Join(seen, " "); text != "1 2 gone" {
		t.Errorf("have %s, want 1 2 gone", text)
	}
}

// Deletions during a streamed list are not lost.
func TestDeletionsInAStreamedList(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("m"))
	gone := false
	config := editWatches(c.Config(), func(line []byte) []byte {
		switch {
		case bytes.HasPrefix(line, []byte(`{"type":"DELETED"`)):
			return nil
		case !bytes.HasPrefix(line, []byte(`{"type":"ADDED"`)) || gone:
			return line
		}
		gone = true
		c.Delete(t, ns, manifest.ConfigMap("m"))
		return append(bytes.Clone(line), bytes.Replace(line, []byte(`"ADDED"`), []byte(`"DELETED"`), 1)...)
	})
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	var seen []string
	err := (&source.Cluster{Config: config, ReadConfigMapData: true}).Observe(ctx, []observe.Target{manifest.Target("", "ConfigMap", ns, "m")}, func(s observe.Event) bool {
		if s.Object == nil {
			seen = append(seen, "gone")
			cancel()
		} else {
			seen = append(seen, "there")
		}
		return false // without open goals, the watch is not verified
	})
	if text := strings.Join(seen, " "); err != nil || text != "there gone" {
		t.Errorf("have %s, %v, want there gone", text, err)
	}
}

// During a wait, the engine finds events that a watch has omitted.
func TestChangesMissingFromWatch(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, annotated("stays", "1")+"---\n"+annotated("goes", "1"))
	config := editWatches(c.Config(), func(line []byte) []byte {
		if bytes.HasPrefix(line, []byte(`{"type":"MODIFIED"`)) || bytes.HasPrefix(line, []byte(`{"type":"DELETED"`)) {
			return nil
		}
		return line
	})
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	targets := []observe.Target{manifest.Target("", "ConfigMap", ns, "stays"), manifest.Target("", "ConfigMap", ns, "goes")}
	var mu sync.Mutex
	var changed, gone bool
	told := 0
	err := (&source.Cluster{Config: config, ReadConfigMapData: true}).Observe(ctx, targets, func(s observe.Event) bool {
		mu.Lock()
		defer mu.Unlock()
		if told++; told == 2 {
			go func() {
				c.Apply(t, ns, annotated("stays", "2"))
				c.Delete(t, ns, manifest.ConfigMap("goes"))
			}()
		}
		if s.Object == nil {
			gone = gone || s.Target.Name == "goes" && s.Err == nil
		} else {
			meta := s.Object.UnstructuredContent()["metadata"].(map[string]any)
			changed = changed || meta["annotations"].(map[string]any)["a"] == "2"
		}
		if changed && gone {
			cancel()
		}
		return true
	})
	if err != nil || !changed || !gone {
		t.Errorf("have changed %t, gone %t, %v, want both", changed, gone, err)
	}
}
