package openstackkit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// These tests start no OpenStack: those in test/openstack/real do.

func TestFreePortsDiffer(t *testing.T) {
	ports, err := freePorts()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, s := range services {
		if p := ports[s]; p < 20000 || p >= 32000 || seen[p] {
			t.Errorf("%s has the port %d; all: %v", s, p, ports)
		}
		seen[ports[s]] = true
	}
}

func TestCloudsYAML(t *testing.T) {
	k := &Kit{state: state{Password: `a"b`, Ports: map[Service]int{Keystone: 5000}}}
	var have struct {
		Clouds map[string]struct {
			Auth map[string]string
		}
	}
	if err := yaml.Unmarshal(k.Demo().CloudsYAML("test"), &have); err != nil {
		t.Fatal(err)
	}
	auth := have.Clouds["test"].Auth
	for field, want := range map[string]string{"auth_url": "http://127.0.0.1:5000/v3", "username": "demo", "password": `a"b`, "project_name": "demo"} {
		if auth[field] != want {
			t.Errorf("%s = %q, want %q", field, auth[field], want)
		}
	}
}

func TestStartRefusesAUsedFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "must be empty") {
		t.Errorf("Start = %v", err)
	}
}

func TestOpenFindsNone(t *testing.T) {
	if _, err := Open(t.TempDir(), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open = %v", err)
	}
}
