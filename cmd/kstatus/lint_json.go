package main

import (
	"io"

	"kstatus.dev/lint"
)

// A findingLine is one finding, as a line of JSON. docs/lint.schema.json is the
// schema of these lines.
type findingLine struct {
	V        int           `json:"v"`
	Type     string        `json:"type"` // "finding"
	ID       string        `json:"id"`
	Check    string        `json:"check"`
	Severity lint.Severity `json:"severity"`
	Name     string        `json:"name"`
	Version  string        `json:"version,omitempty"`
	Path     string        `json:"path"`
	Message  string        `json:"message"`
	Repair   string        `json:"repair,omitempty"`
	Mends    string        `json:"mends"` // "safe", "unsafe" or "no"
	lintSpot
	Ignored string `json:"ignored,omitempty"` // why it is
}

// A definitionLine says what a new object of a version reads.
type definitionLine struct {
	V       int       `json:"v"`
	Type    string    `json:"type"` // "definition"
	Name    string    `json:"name"`
	Version string    `json:"version"`
	Fresh   freshLine `json:"fresh"`
	Mended  freshLine `json:"mended"` // after the safe fixes
}

type freshLine struct {
	Peer string `json:"peer"` // with today's kstatus
	Ours string `json:"ours"` // with this one
}

// A lintResultLine closes the stream.
type lintResultLine struct {
	V           int      `json:"v"`
	Type        string   `json:"type"` // "result"
	Outcome     string   `json:"outcome"`
	ExitCode    exitCode `json:"exitCode"`
	Definitions int      `json:"definitions"`
	Errors      int      `json:"errors"`
	Warnings    int      `json:"warnings"`
	Hints       int      `json:"hints"`
	Ignored     int      `json:"ignored"`
	Unread      []string `json:"unread,omitempty"`
}

func (r *lintRun) findingLine(f lint.Finding) findingLine {
	mends := "no"
	if f.Fix != nil {
		mends = "safe"
		if f.Fix.Unsafe {
			mends = "unsafe"
		}
	}
	return findingLine{V: linesVersion, Type: "finding", ID: f.ID, Check: f.Check, Severity: f.Severity, Name: f.Name, Version: f.Version,
		Path: f.Path.String(), Message: f.Message, Repair: f.Repair, Mends: mends, lintSpot: r.spot(f)}
}

// code returns what the command exits with.
func (r *lintRun) code() exitCode {
	code := exitOK
	if r.count(lint.Error) > 0 {
		code = exitFindings
	}
	if len(r.unread) > 0 {
		code = worse(code, exitUncertain)
	}
	return code
}

// printJSON prints a line per finding, one per version with a status, and the result.
func (l *lintCommand) printJSON(out io.Writer, r *lintRun) error {
	encode := encoderOn(out)
	for _, f := range r.inOrder() {
		if err := encode.Encode(r.findingLine(f.Finding)); err != nil {
			return err
		}
	}
	for _, f := range r.ignored {
		line := r.findingLine(f.Finding)
		line.Ignored = f.reason
		if err := encode.Encode(line); err != nil {
			return err
		}
	}
	for _, v := range r.verdicts() {
		err := encode.Encode(definitionLine{V: linesVersion, Type: "definition", Name: v.name, Version: v.version,
			Fresh: freshLine(v.before), Mended: freshLine(v.after)})
		if err != nil {
			return err
		}
	}
	code := r.code()
	end := lintResultLine{V: linesVersion, Type: "result", Outcome: code.outcome(), ExitCode: code, Definitions: len(r.bundle.CRDs()),
		Errors: r.count(lint.Error), Warnings: r.count(lint.Warning), Hints: r.count(lint.Hint), Ignored: len(r.ignored)}
	for _, err := range r.unread {
		end.Unread = append(end.Unread, err.Error())
	}
	return encode.Encode(end)
}
