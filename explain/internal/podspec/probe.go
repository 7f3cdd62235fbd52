package podspec

import (
	"cmp"
	"fmt"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/show"
)

// Probe renders the configuration of a probe: "GET /healthz on port 8080, period 10s, timeout 1s,
// failure threshold 3".
func Probe(probe fields.Section) string {
	action := Action(probe)
	if action == "" {
		return "not set"
	}
	return action + fmt.Sprintf(", period %ds, timeout %ds, failure threshold %d", probe.Int("periodSeconds", 10), probe.Int("timeoutSeconds", 1), probe.Int("failureThreshold", 3))
}

// Action renders what a probe or a lifecycle hook does: "GET /healthz on port 8080". It returns ""
// for an empty one. For a command it shows only the program, because arguments may be secret.
func Action(handler fields.Section) string {
	switch {
	case handler.Has("httpGet"):
		scheme := "GET "
		if handler.Text("httpGet.scheme") == "HTTPS" {
			scheme = "GET over TLS "
		}
		path, _, _ := strings.Cut(cmp.Or(handler.Text("httpGet.path"), "/"), "?")
		return scheme + path + " on port " + show.Value(handler.Get("httpGet.port"))
	case handler.Has("tcpSocket"):
		return "connect to port " + show.Value(handler.Get("tcpSocket.port"))
	case handler.Has("grpc"):
		return "gRPC health on port " + show.Value(handler.Get("grpc.port"))
	case handler.Has("sleep"):
		return fmt.Sprintf("sleep %d s", handler.Int("sleep.seconds", 0))
	case handler.Has("exec"):
		if command := handler.Texts("exec.command"); len(command) > 0 {
			return "run " + command[0]
		}
		return "run a command"
	}
	return ""
}
