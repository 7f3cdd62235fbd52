package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kstatus.dev/cmd/kstatus/internal/exit"
)

// A wait for a server that is down ends early, also if the types of the server are cached.
func TestServerIsDown(t *testing.T) {
	for _, row := range []struct {
		it   string
		args []string
	}{
		{"with a selector", []string{"pods", "-l", "app=x"}},
		{"with a name", []string{"pod/x"}},
		{"with several types", []string{"all"}},
		{"for a deletion", []string{"pods", "-l", "app=x", "--for=delete"}},
		{"with --missing=ignore", []string{"pods", "-l", "app=x", "--missing=ignore"}},
		{"with --keep-going", []string{"pods", "-l", "app=x", "--keep-going"}},
	} {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			c := newMemoryCluster(t)
			if have := c.run("", "get", "pods"); have.code != exit.OK {
				t.Fatalf("have %d\n%s%s", have.code, have.out, have.notes)
			}
			c.stop()
			have := c.run("", append([]string{"wait", "--timeout", "1h"}, row.args...)...)
			text := have.out + have.notes
			if have.code != exit.Uncertain || !strings.Contains(text, "connection refused") {
				t.Errorf("have %d\n%s", have.code, text)
			}
			if strings.Contains(text, "nothing matches") || strings.Contains(text, "too few match") {
				t.Errorf("it says what matches:\n%s", text)
			}
		})
	}
}

// The timeout of a wait for a server that is down says nothing about objects either.
func TestServerIsDownAtTimeout(t *testing.T) {
	c := newMemoryCluster(t)
	c.run("", "get", "pods")
	c.stop()
	have := c.run("", "wait", "pods", "-l", "app=x", "--timeout", "0")
	if text := have.out + have.notes; have.code != exit.Uncertain || strings.Contains(text, "matches") || strings.Contains(text, "match,") || !strings.Contains(text, "API server not reached") {
		t.Errorf("have %d\n%s", have.code, text)
	}
}

// The error of one of several contexts names it.
func TestContextIsDown(t *testing.T) {
	good := newMemoryCluster(t)
	text, err := os.ReadFile(good.flags[1])
	if err != nil {
		t.Fatal(err)
	}
	config := strings.Replace(string(text), "contexts: [", "contexts: [{name: dead, context: {cluster: dead}}, ", 1)
	config = strings.Replace(config, "clusters: [", "clusters: [{name: dead, cluster: {server: \"http://127.0.0.1:1\"}}, ", 1)
	both := filepath.Join(t.TempDir(), "both")
	if err := os.WriteFile(both, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	good.flags[1] = both
	for _, args := range [][]string{
		{"wait", "pods"}, {"wait", "pod/x"}, {"wait", "--all"}, {"get", "pods"}, {"get", "pod/x"}, {"explain", "pods"}, {"explain", "pod/x"}, {"get", "pods", "--watch"},
	} {
		have := good.run("", append(args, "--contexts", "c,dead")...)
		if text := have.out + have.notes; have.code != exit.Uncertain || !strings.Contains(text, "context dead: ") {
			t.Errorf("%s: have %d\n%s", fmt.Sprint(args), have.code, text)
		}
	}
}
