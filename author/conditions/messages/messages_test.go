package messages_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"kstatus.dev/author/conditions/messages"
)

func TestStable(t *testing.T) {
	for message, c := range map[string]struct{ class, stable string }{
		"server is building":                                       {"", "server is building"},
		"3 of 5 servers are ready":                                 {"", "3 of 5 servers are ready"},
		"listen 10.0.0.1:6443":                                     {"", "listen 10.0.0.1:6443"},
		"did not start within 5m0s":                                {"", "did not start within 5m0s"},
		"at 2026-03-01T12:00:00.123Z the disk failed":              {"timestamp", "at <time> the disk failed"},
		"at 2026-03-01 12:00:00.1 +0000 UTC m=+0.012 it failed":    {"timestamp", "at <time> it failed"},
		"read tcp 10.0.0.1:53211->10.0.0.9:443: reset by peer":     {"local port", "read tcp <local>->10.0.0.9:443: reset by peer"},
		"read tcp [fe80::1]:53211->[fe80::2]:443: reset by peer":   {"local port", "read tcp <local>->[fe80::2]:443: reset by peer"},
		"quota (Request-ID: 1234abcd-77)":                          {"request ID", "quota (Request-ID: <request-id>)"},
		`{"requestId": "ABCDEFGH1234"}`:                            {"request ID", `{"requestId": "<request-id>"}`},
		"the request ID something-else is not known":               {"", "the request ID something-else is not known"},
		"compute req-0a1b2c3d-0000-1111-2222-333344445555 said no": {"request ID", "compute <request-id> said no"},
		"server 0a1b2c3d-0000-1111-2222-333344445555 is building":  {"UUID", "server 0a1b2c3d-0000-1111-2222-333344445555 is building"},
		"commit 0123456789abcdef0123456789abcdef01234567":          {"hash", "commit 0123456789abcdef0123456789abcdef01234567"},
		"spec &{Name:0xc000123456} differs":                        {"pointer", "spec &{Name:<pointer>} differs"},
		"took 1.503s":                                              {"exact duration", "took <duration>"},
		"took 2m3.5s, then 12ms":                                   {"exact duration", "took <duration>, then <duration>"},
		"token of 1772366400 expired":                              {"epoch", "token of 1772366400 expired"},
	} {
		t.Run(message, func(t *testing.T) {
			tokens := messages.FindVolatile(message)
			switch {
			case c.class == "" && len(tokens) > 0:
				t.Errorf("holds %v, want nothing", tokens)
			case c.class != "" && (len(tokens) == 0 || tokens[0].Class != c.class):
				t.Errorf("holds %v, want a %s", tokens, c.class)
			}
			if have := messages.Stable(message); have != c.stable {
				t.Errorf("is stable as %q, want %q", have, c.stable)
			}
			if again := messages.Stable(c.stable); again != c.stable {
				t.Errorf("is stable twice as %q", again)
			}
		})
	}
}

func TestFromError(t *testing.T) {
	a, b := errors.New("a failed"), errors.New("b failed")
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"it is empty without an error":               {nil, ""},
		"it is the text of one error":                {a, "a failed"},
		"it sorts joined errors":                     {errors.Join(b, a), "a failed; b failed"},
		"it removes duplicates":                      {errors.Join(b, a, errors.Join(a, b)), "a failed; b failed"},
		"it sorts joined errors in wrapped ones":     {fmt.Errorf("pool: %w: stopped", errors.Join(b, a)), "pool: a failed; b failed: stopped"},
		"it keeps the order of named parts":          {fmt.Errorf("%w because %w", b, a), "b failed because a failed"},
		"it sorts aggregates of apimachinery":        {utilerrors.NewAggregate([]error{b, a}), "a failed; b failed"},
		"it replaces volatile parts before it sorts": {errors.Join(errors.New("x took 2.5s"), errors.New("x took 1.5s")), "x took <duration>"},
	} {
		t.Run(name, func(t *testing.T) {
			if have := messages.FromError(c.err); have != c.want {
				t.Errorf("%q, want %q", have, c.want)
			}
		})
	}
}

// Equal failures have equal texts, whatever their order, time, port and request
// ID.
func TestFromErrorOfPermutations(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	texts := map[string]bool{}
	for range 1000 {
		var failures []error
		for i := range 6 {
			failures = append(failures, fmt.Errorf("machine-%d: dial tcp 10.0.0.1:%d->10.0.0.9:443: refused at 2026-03-01T12:%02d:00Z (request id: %016x)",
				i, 30000+random.IntN(30000), random.IntN(60), random.Uint64()))
		}
		random.Shuffle(len(failures), func(i, j int) { failures[i], failures[j] = failures[j], failures[i] })
		cut := 1 + random.IntN(5)
		texts[messages.FromError(fmt.Errorf("pool: %w", errors.Join(errors.Join(failures[:cut]...), errors.Join(failures[cut:]...))))] = true
	}
	if len(texts) != 1 {
		t.Errorf("1000 permutations have %d texts", len(texts))
	}
}
