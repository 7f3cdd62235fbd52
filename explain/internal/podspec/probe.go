package podspec

import (
	"cmp"
	"fmt"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/show"
)

// Probe renders the configuration of a probe: "GET /healthz on port 8080, period 10s, timeout 1s,
// failure threshold 3". For a command it shows only the program, because arguments may be secret.
func Probe(probe fields.Section) string {
	text := "not set"
	switch {
	case probe.Has("httpGet"):
		scheme := "GET "
		if probe.Text("httpGet.scheme") == "HTTPS" {
			scheme = "GET over TLS "
		}
		path, _, _ := strings.Cut(cmp.Or(probe.Text("httpGet.path"), "/"), "?")
		text = scheme + path + " on port " + show.Value(probe.Get("httpGet.port"))
	case probe.Has("tcpSocket"):
		text = "connect to port " + show.Value(probe.Get("tcpSocket.port"))
	case probe.Has("grpc"):
		text = "gRPC health on port " + show.Value(probe.Get("grpc.port"))
	case probe.Has("exec"):
		text = "run a command"
		if command := probe.Texts("exec.command"); len(command) > 0 {
			text = "run " + command[0]
		}
	default:
		return text
	}
	return text + fmt.Sprintf(", period %ds, timeout %ds, failure threshold %d", probe.Int("periodSeconds", 10), probe.Int("timeoutSeconds", 1), probe.Int("failureThreshold", 3))
}
