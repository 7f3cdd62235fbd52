package census

import (
	"os"
	"testing"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/command"
)

var live cluster.Shared

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }

// A real API server accepts fixed definitions, and their new objects no longer read Current. A
// second fix changes nothing. This test covers only two projects of the census.
func TestFixedDefinitions(t *testing.T) {
	bin, err := command.Build()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(bin) })
	c := live.Cluster(t)
	for _, p := range Projects {
		if p.Name != "KEDA" && p.Name != "cert-manager" {
			continue
		}
		r, levels, err := Census{Bin: bin}.Run(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if r.Again {
			t.Errorf("%s: a second --fix changes something", p.Name)
		}
		if r.Removed > 0 {
			t.Errorf("%s: --fix removes or changes %d lines, want only additions here", p.Name, r.Removed)
		}
		proofs, err := Prove(t.Context(), c.Config(), levels)
		if err != nil {
			t.Fatal(err)
		}
		was, now := 0, 0
		for _, proof := range proofs {
			if proof.Refused != "" {
				t.Errorf("%s: %s: the API server refuses it: %s", proof.Level, proof.Name, proof.Refused)
			}
			for version, reads := range proof.Fresh {
				switch {
				case proof.Level == Before && reads == "Current":
					was++
				case proof.Level == Safe && reads == "InProgress":
					now++
				case proof.Level == Safe:
					t.Errorf("%s %s: a new object reads %s after --fix, want InProgress", proof.Name, version, reads)
				}
			}
		}
		if was == 0 || now != was {
			t.Errorf("%s: %d versions read Current before and %d InProgress after, want the same number and some", p.Name, was, now)
		}
	}
}
