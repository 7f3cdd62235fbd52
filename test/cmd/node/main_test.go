//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBundle(t *testing.T) {
	for args, want := range map[string]string{
		"runc --root /run create --bundle /b --pid-file p id": "/b",
		"runc create --bundle=/b id":                          "/b",
		"runc create -b /b id":                                "/b",
		"runc create --bundle":                                "",
		"runc start id":                                       "",
		"runc exec --bundle /b id":                            "",
	} {
		if have := bundle(strings.Fields(args)); have != want {
			t.Errorf("bundle(%s) = %q, want %q", args, have, want)
		}
	}
}

func TestRemoveSeccomp(t *testing.T) {
	for text, want := range map[string]string{
		`{"linux":{"seccomp":{"defaultAction":"SCMP_ACT_ERRNO"},"resources":{"memory":{"limit":9223372036854771712}}}}`: `{"linux":{"resources":{"memory":{"limit":9223372036854771712}}}}`,
		`{"process":{}}`: `{"process":{}}`,
	} {
		file := filepath.Join(t.TempDir(), "config.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := removeSeccomp(file); err != nil {
			t.Fatal(err)
		}
		if have, err := os.ReadFile(file); err != nil || string(have) != want {
			t.Errorf("removeSeccomp(%s) = %s, %v, want %s", text, have, err, want)
		}
	}
	if err := removeSeccomp("/nonexistent"); err == nil {
		t.Error("removeSeccomp of a missing file succeeds")
	}
}

func TestUsage(t *testing.T) {
	if code := run("node", []string{"node"}); code != 1 {
		t.Errorf("node without arguments exits with %d, want 1", code)
	}
	if code := run("app", []string{"app", "exit", "3", "text"}); code != 3 {
		t.Errorf("app exit 3 exits with %d", code)
	}
}
