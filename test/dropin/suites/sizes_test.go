package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestModuleDifference(t *testing.T) {
	s := size{
		Before: build{
			Modules: map[string]string{"example.test/a": "v1.0.0", "example.test/gone": "v1.0.0", "sigs.k8s.io/cli-utils": "v0.37.0"},
			Mod: goMod{Go: "1.25.0", Require: map[string]string{
				"example.test/a": "v1.9.0", "example.test/b": "v2.0.0", "example.test/gone": "v1.0.0", "example.test/same": "v1.0.0",
			}},
		},
		After: build{
			Modules: map[string]string{"example.test/a": "v1.10.0", "kstatus.dev": "v0.1.0", "sigs.k8s.io/cli-utils": "v0.37.2"},
			Mod: goMod{Go: "1.26.0", Replaced: []string{"kstatus.dev", "sigs.k8s.io/cli-utils"}, Require: map[string]string{
				"example.test/a": "v1.10.0", "example.test/b": "v1.0.0", "example.test/new": "v1.0.0", "example.test/same": "v1.0.0", "kstatus.dev": "v0.1.0",
			}},
		},
	}
	const want = `replace: sigs.k8s.io/cli-utils
require: kstatus.dev
raised: go 1.25.0 => 1.26.0
raised: example.test/a v1.9.0 => v1.10.0
lowered: example.test/b v2.0.0 => v1.0.0
added: example.test/new v1.0.0
removed: example.test/gone v1.0.0`
	if have := strings.Join(s.difference().lines(), "\n"); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
	added, removed, changed := s.linked()
	have := strings.Join(added, " ") + "; " + strings.Join(removed, " ") + "; " + strings.Join(changed, ", ")
	if have != "kstatus.dev; example.test/gone; example.test/a v1.0.0 => v1.10.0" {
		t.Errorf("linked: have %s", have)
	}
}

// A container of the server in place of Docker has its port, and answers like Vault.
func TestDockerAnswers(t *testing.T) {
	server := newDocker()
	defer server.Close()
	var found struct {
		NetworkSettings struct {
			Ports map[string][]map[string]string
		}
	}
	get(t, server.URL+"/containers/vault/json", &found)
	ports := found.NetworkSettings.Ports[vaultPort]
	if len(ports) != 1 {
		t.Fatalf("have %d ports, want 1", len(ports))
	}
	var vault struct{ Initialized bool }
	get(t, "http://"+ports[0]["HostIp"]+":"+ports[0]["HostPort"]+"/v1/sys/init", &vault)
	if !vault.Initialized || !strings.HasPrefix(dockerHost(server), "tcp://127.0.0.1:") {
		t.Errorf("Vault initialized: %t; address: %s", vault.Initialized, dockerHost(server))
	}
}

func get(t *testing.T, at string, value any) {
	t.Helper()
	answer, err := http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(value); err != nil {
		t.Fatalf("%s: %v", at, err)
	}
}
