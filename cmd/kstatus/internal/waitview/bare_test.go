package waitview

import (
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/frame"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A watch without an end draws its first frame when objects are known, without a progress bar.
func TestEndlessWatchStartsWithItsObjects(t *testing.T) {
	now := liveStart
	v := &Live{Bare: true, Config: Config{Now: func() time.Time { return now }, Began: liveStart}}
	v.log = NewLog(v.Config)
	pods := observe.Target{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop"}
	v.pending.SetTargets([]Target{{Target: pods}})
	v.log.SetTargets([]Target{{Target: pods}})
	style := terminal.Style{Width: 100, Height: 24}
	if s, ok := v.next(style); ok {
		t.Errorf("before anything is known: have %q, want no frame", frame.Renderer{Style: style}.Draw(s))
	}
	pod := pods
	pod.Name = "web-1"
	for _, target := range []observe.Target{pod, pods} {
		progress := observe.ProgressReached
		if err := v.Update(NewEvent(observe.Update{Target: target, Progress: progress, Result: status.Result{Status: status.CurrentStatus}}), nil); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(time.Second)
	s, ok := v.next(style)
	text := (frame.Renderer{Style: style}).Draw(s)
	if !ok || !strings.Contains(text, "1/1 current") || strings.Contains(text, "[") {
		t.Errorf("have %v, %q, want one of one object without a bar", ok, text)
	}
	late := &Live{Bare: true, Config: v.Config}
	late.pending.SetTargets([]Target{{Target: pods}})
	now = now.Add(firstFrameDelay)
	if _, ok := late.next(style); !ok {
		t.Error("a slow server leaves the screen empty")
	}
}
