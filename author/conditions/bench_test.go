package conditions_test

import (
	"context"
	"testing"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
)

// Most passes of a controller have nothing to write.
func BenchmarkPassWithoutAWrite(b *testing.B) {
	for name, create := range map[string]func() conditions.Object{
		"typed":        func() conditions.Object { return newServer() },
		"unstructured": func() conditions.Object { return unstructuredServer() },
	} {
		b.Run(name, func(b *testing.B) {
			obj := create()
			server, err := conditionstest.NewServer(obj)
			if err != nil {
				b.Fatal(err)
			}
			if err := server.ReadCached(obj); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				pass, err := declared.Begin(obj)
				if err != nil {
					b.Fatal(err)
				}
				setHealthy(pass)
				if _, err := pass.Commit(context.Background(), server); err != nil {
					b.Fatal(err)
				}
			}
			if server.WriteCount() != 1 {
				b.Errorf("%d writes, want 1", server.WriteCount())
			}
		})
	}
}
