package test

import (
	"testing"

	today "github.com/fluxcd/cli-utils/pkg/kstatus/status"

	"kstatus.dev/status"
	"kstatus.dev/test/bench"
)

// The objects of the benchmark have the expected status, so that the benchmark measures the
// named case.
func TestBenchmarkObjects(t *testing.T) {
	for _, o := range benchObjects(t) {
		t.Run(o.Name, func(t *testing.T) {
			ours, err := status.Compute(o)
			if err != nil || string(ours.Status) != o.Ours {
				t.Errorf("kstatus.dev says %+v, %v, want %s", ours, err, o.Ours)
			}
			theirs, err := today.Compute(o.Unstructured)
			if err != nil || string(theirs.Status) != o.Theirs {
				t.Errorf("kstatus says %+v, %v, want %s", theirs, err, o.Theirs)
			}
		})
	}
}

// BenchmarkStatus judges each object with the default profile, with the compat profile and with
// kstatus. To compare the three, run go run ./bench/status.
func BenchmarkStatus(b *testing.B) {
	for _, o := range benchObjects(b) {
		for _, who := range bench.Contestants() {
			b.Run(o.Name+"/"+who.Name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := who.Judge(o.Unstructured); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func benchObjects(t testing.TB) []bench.Object {
	t.Helper()
	all, err := bench.Objects()
	if err != nil || len(all) == 0 {
		t.Fatalf("objects of the benchmark: %d, %v", len(all), err)
	}
	return all
}
