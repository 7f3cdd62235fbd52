package dropin

import (
	"strings"
	"testing"
)

func TestParseMode(t *testing.T) {
	for word, want := range map[string]struct {
		mode Mode
		err  string // a part of it
	}{
		"compat":         {mode: Compat},
		"right":          {mode: Right},
		"started+before": {mode: Mode{VerdictsStarted, EventsBefore}},
		"strict+right":   {mode: Mode{VerdictsStrict, EventsRight}},
		"":               {err: `mode ""`},
		"Right":          {err: `mode "Right"`},
		"right+right":    {err: `verdicts "right"`},
		"default+after":  {err: `events "after"`},
	} {
		have, err := ParseMode(word)
		switch {
		case want.err == "" && (err != nil || have != want.mode):
			t.Errorf("%q: have %v and error %v, want %v", word, have, err, want.mode)
		case want.err == "" && have.String() != word:
			t.Errorf("%q has the name %q", word, have)
		case want.err != "" && (err == nil || !strings.Contains(err.Error(), want.err)):
			t.Errorf("%q: error %v, want one with %s", word, err, want.err)
		}
	}
}

func TestResolveHasThePartsOfTheField(t *testing.T) {
	defer func() { program.used = nil }()
	Use(Right)
	for field, want := range map[Mode]string{
		{}:                            "right",
		{Verdicts: VerdictsDefault}:   "default+right",
		{Events: EventsBefore}:        "started+before",
		{VerdictsCompat, EventsRight}: "compat+right",
	} {
		if have, err := Resolve(field); err != nil || have.String() != want {
			t.Errorf("%v: have %v and error %v, want %s", field, have, err, want)
		}
	}
	if _, err := Resolve(Mode{Verdicts: "old"}); err == nil {
		t.Error("verdicts that are not known are no error")
	}
}

func TestUsePanics(t *testing.T) {
	reset := func() { program.used, program.started = nil, false }
	defer reset()
	for name, prepare := range map[string]func() Mode{
		"a mode that is not known": func() Mode { return Mode{Verdicts: "old", Events: EventsBefore} },
		"after a watch has begun": func() Mode {
			if _, err := Begin(Mode{}); err != nil {
				t.Error(err)
			}
			return Right
		},
	} {
		t.Run(name, func(t *testing.T) {
			reset()
			m := prepare()
			defer func() {
				if recover() == nil {
					t.Error("Use does not panic")
				}
			}()
			Use(m)
		})
	}
}

func TestConfigured(t *testing.T) {
	defer func() { mode = "" }()
	for _, c := range []struct{ flag, env, want, err string }{
		{want: "compat"},
		{env: "right", want: "right"},
		{flag: "right", env: "compat", want: "right"},
		{env: "rigth", err: "environment variable KSTATUS_DROPIN"},
		{flag: "1", err: "link flag"},
	} {
		mode = c.flag
		t.Setenv(Variable, c.env)
		have, err := readConfigured()
		if c.err == "" && (err != nil || have.String() != c.want) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("flag %q, environment %q: have %v and error %v, want %s%s", c.flag, c.env, have, err, c.want, c.err)
		}
	}
}
