package printer

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/status"
)

// On a terminal of any width, the message shows the differences between objects.
func TestMessagesOnNarrowTerminals(t *testing.T) {
	late := func(name, problem string) output.Verdict {
		parts := &status.Parts{Count: 1, Kind: "Pod", Name: name + "-966787b57-mcmnv", Message: problem}
		v := output.Verdict{Object: output.Object{ID: status.ID{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: name}}, Parts: parts, Created: time.Now().Add(-time.Minute)}
		v.Status, v.Message = status.FailedStatus, parts.AppendTo(`ReplicaSet "`+name+`-966787b57" has timed out progressing`)
		return v
	}
	rows := []output.Verdict{
		late("checkout-service", `ImagePullBackOff: container checkout-service: Back-off pulling image "registry.example.com/team/checkout-service:1.2.3"`),
		late("frontend-gateway", "CrashLoopBackOff: container c exits with code 3 (1 restart)"),
		late("scoring", "0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."),
	}
	for _, row := range []struct {
		width int
		want  []string
	}{
		{50, []string{"Deployment/ch…ervice", "ImagePullBa…", "CrashLoopBa…", "0/3 nodes: …"}},
		{60, []string{"Deployment/checkout-service", "ImagePullBackO…", "CrashLoopBackO…", "0/3 nodes: 3 I…"}},
		{80, []string{"Deployment/checkout-service", "ImagePullBackOff: Back-off", "CrashLoopBackOff: exits with code", "0/3 nodes: 3 Insufficient"}},
		{100, []string{"Deployment/checkout-service", `Back-off pulling image "reg`, "CrashLoopBackOff: exits with code 3 (1 restart)", "0/3 nodes: 3 Insufficient cpu."}},
		{300, []string{`ReplicaSet "scoring-966787b57" has timed out progressing; Pod scoring-966787b57-mcmnv: 0/3 nodes are available: 3 Insufficient cpu.`}},
	} {
		var out bytes.Buffer
		p := FormatOf("table").New(&out, Options{Style: terminal.Style{Width: row.width, UTF8: true}, Now: time.Now(), Headers: true})
		for _, v := range rows {
			if err := p.Object(v); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.End(output.Result{}); err != nil {
			t.Fatal(err)
		}
		for _, want := range row.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("at %d columns: want %q in\n%s", row.width, want, &out)
			}
		}
		for line := range strings.Lines(out.String()) {
			if n := ansi.StringWidth(strings.TrimRight(line, "\n")); n > row.width {
				t.Errorf("at %d columns: %d columns of %q", row.width, n, line)
			}
		}
	}
}
