package snapshot

import (
	"bytes"
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/explain"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// A Files holds the objects of files, and their evaluator.
type Files struct {
	judge     output.Judge
	Documents []manifest.Document
	wanted    func(map[string]any) bool
	Unread    int // definitions that could not be read

	withPods    map[status.ID]observe.Update // the updates on workloads whose Pods count
	ownText     bool                         // messages do not repeat those of the Pods
	caveats     map[status.ID]string         // that depend on other objects
	showSecrets bool
}

// ReadFiles reads the files of -f and -k. It does not decode them.
func (f *Flags) ReadFiles(ctx context.Context) ([]manifest.Input, error) {
	if len(f.Selection.Files) == 0 && f.Selection.Kustomize == "" {
		return nil, exit.Usagef("--local requires -f FILE or -k DIR")
	}
	if f.Selection.FieldSelector != "" {
		return nil, exit.Usagef("--field-selector cannot be used with --local: only a server selects by fields")
	}
	read := f.Env.Reader(ctx)
	read.NoRemote = true
	return read.Read(f.Selection.Files, f.Selection.Recursive, f.Selection.Kustomize), nil
}

// AsOf sets the time for judging objects to the newest time in the files, and prints a note
// about it. --now sets another time. Objects from standard input are judged as of now.
func (f *Flags) AsOf(c *output.Criteria, inputs []manifest.Input) {
	isPiped := slices.ContainsFunc(inputs, func(in manifest.Input) bool { return in.Name == "-" })
	newest := manifest.NewestTime(inputs, c.Now)
	if f.now != "" || isPiped || newest.IsZero() {
		return
	}
	c.Now = newest
	c.Evaluator.Now, c.Evaluator.Snapshot = func() time.Time { return newest }, true
	f.Env.Print("note: times are relative to %s, the newest time in the files; --now overrides", newest.UTC().Format(time.RFC3339))
}

// Files returns the snapshot of files. It decodes the definitions of custom resources first,
// wherever they are, since they declare the status of other objects.
func (f *Flags) Files(ctx context.Context, c output.Criteria, d output.Detail, inputs []manifest.Input) (s Files, err error) {
	s.Documents = manifest.Documents(inputs)
	if s.wanted, err = f.filter(); err != nil {
		return s, err
	}
	set, err := c.Rules.NewSet()
	if err != nil {
		return s, err
	}
	s.judge, s.showSecrets = c.Judge(d), c.ShowSecrets
	s.judge.Evaluator.Expect, s.Unread = f.Expectations(ctx, s.Documents, set.AddDefinition)
	s.judge.Evaluator.SelectRule = set.SelectRule
	s.judge.Evaluator.Related = relatedIn(s.Documents)
	return s, nil
}

// Evaluator returns the evaluator of the objects.
func (s *Files) Evaluator() status.Evaluator { return s.judge.Evaluator }

// Verdicts judges the objects of one document that match -l and -n, and drops its text.
func (s *Files) Verdicts(p *manifest.Document) []output.Verdict {
	items := p.Objects()
	*p = manifest.Document{}
	verdicts := make([]output.Verdict, 0, len(items))
	for _, it := range items {
		if it.Err == nil && !s.wanted(it.Content) {
			continue
		}
		verdicts = append(verdicts, s.verdict(it))
	}
	return verdicts
}

func (s *Files) verdict(it manifest.Object) (v output.Verdict) {
	if it.Err != nil {
		v = s.judge.Unreadable(it.Content, it.Err)
	} else {
		v = s.judge.Verdict(it.Content)
		if u, counts := s.withPods[v.ID]; counts {
			setUpdate(s.judge, &v, u, s.ownText)
		}
	}
	if v.Caveat == "" {
		v.Caveat = s.caveats[v.ID]
	}
	v.Source = &it.From
	v.TextWarnings, v.Warnings = it.Warnings, append(v.Warnings, it.Warnings...)
	return v
}

// A fileFact is an object of a file with its verdict, or an Event with only its place in the
// file.
type fileFact struct {
	verdict output.Verdict
	event   *explain.Event
}

// facts judges the objects of one document, and drops its text.
func (s *Files) facts(p *manifest.Document) (all []fileFact) {
	items := p.Objects()
	*p = manifest.Document{}
	for _, it := range items {
		if it.Err == nil {
			if e, ok := explain.EventFromObject(it.Content); ok {
				all = append(all, fileFact{verdict: output.Verdict{Object: output.Object{Source: &it.From}, TextWarnings: it.Warnings}, event: &e})
				continue
			}
		}
		all = append(all, fileFact{verdict: s.verdict(it)})
	}
	return all
}

// Collect adds all objects and Events of the files to facts, and returns the verdicts on the
// objects in the arguments. It counts what cannot be judged. It calls seen with every verdict.
func (s *Files) Collect(args []string, facts *explain.Facts, t *output.Tally, seen func(output.Verdict)) ([]output.Verdict, error) {
	t.Unread += s.Unread
	var all []output.Verdict
	var redactor explain.Redactor
	for some := range manifest.InOrder(s.Documents, runtime.GOMAXPROCS(0), s.facts) {
		for _, k := range some {
			seen(k.verdict)
			switch {
			case k.event != nil:
				if !s.showSecrets {
					*k.event = redactor.Event(*k.event)
				}
				facts.Events = append(facts.Events, *k.event)
			case k.verdict.Unjudged:
				t.Add(k.verdict)
			default:
				fact := *k.verdict.ObjectFact
				if !s.showSecrets {
					fact = redactor.ObjectFact(fact)
				}
				facts.Objects = append(facts.Objects, fact)
				if s.wanted(k.verdict.ObjectFact.Object) {
					all = append(all, k.verdict)
				}
			}
		}
	}
	facts.Lists = wholeLists(facts.Objects)
	return selectNamed(args, all)
}

// PrintProblems prints the errors in the text of an object.
func (f *Flags) PrintProblems(v output.Verdict) {
	if v.Unjudged {
		f.Env.Print("error: %s: %s", v.Source, v.Error)
	}
	for _, odd := range v.TextWarnings {
		f.Env.Print("warning: %s: %s", v.Source, odd)
	}
}

// Expectations reads the schemas of the definitions in --crds and among the objects. It prints
// the files of --crds that cannot be read, and counts them as unread, since verdicts depend on
// them. Definitions among the objects also count as objects. All readable definitions are passed
// to learn.
func (f *Flags) Expectations(ctx context.Context, pieces []manifest.Document, learn func(status.Object)) (expect schema.Expectations, unread int) {
	named := f.namedDefinitions(ctx)
	var definitions []map[string]any
	for _, it := range append(slices.Clone(named), definitionsIn(pieces)...) {
		if it.Err == nil {
			definitions = append(definitions, it.Content)
			learn(it.Content)
		}
	}
	if len(definitions) == 0 && len(named) == 0 {
		return nil, 0
	}
	for _, it := range named {
		err := it.Err
		if err == nil {
			_, err = schema.FromCRDs(it.Content)
		}
		if err != nil {
			unread++
			f.Env.Print("error: %s: %v", it.From, err)
		}
	}
	expect, _ = schema.FromCRDs(definitions...) // the errors have been printed
	return expect, unread
}

// namedDefinitions returns the definitions of --crds, with those that cannot be read.
func (f *Flags) namedDefinitions(ctx context.Context) (named []manifest.Object) {
	read := f.Env.Reader(ctx)
	for _, name := range f.crds {
		found := definitionsIn(manifest.Documents(read.ReadOne(name, true)))
		if len(found) == 0 {
			found = []manifest.Object{{From: manifest.Source{File: name}, Err: manifest.ErrNoDefinitions}}
		}
		named = append(named, found...)
	}
	return named
}

// relatedIn returns a lookup of the StorageClasses among the documents, on which the verdicts on
// claims depend.
func relatedIn(pieces []manifest.Document) status.Lookup {
	classes := map[string]status.Map{}
	for _, it := range objectsOfKind(pieces, "StorageClass", func(obj status.Map) bool { return obj["kind"] == "StorageClass" }) {
		if it.Err == nil {
			mode := cmp.Or(decoded.Text(it.Content, "volumeBindingMode"), "Immediate") // the default of the API server
			classes[output.IDOf(it.Content).Name] = status.Map{"volumeBindingMode": mode}
		}
	}
	return func(kind status.Kind, _, name string) status.Object {
		if class := classes[name]; kind == (status.Kind{Group: "storage.k8s.io", Kind: "StorageClass"}) && class != nil {
			return class
		}
		return nil
	}
}

// definitionsIn returns the definitions among the documents, with those that cannot be read.
func definitionsIn(pieces []manifest.Document) []manifest.Object {
	return objectsOfKind(pieces, "CustomResourceDefinition", func(obj status.Map) bool { return schema.IsCRD(obj) })
}

// objectsOfKind returns the objects of a kind among the documents, with those that cannot be
// read. It decodes only documents that contain the name of the kind, and keeps the decoded
// objects for later.
func objectsOfKind(pieces []manifest.Document, kind string, is func(status.Map) bool) []manifest.Object {
	var candidates []*manifest.Document
	for i := range pieces {
		p := &pieces[i]
		if p.Items != nil || bytes.Contains(p.Text, []byte(kind)) {
			candidates = append(candidates, p)
		}
	}
	var all []manifest.Object
	for items := range manifest.InOrder(candidates, runtime.GOMAXPROCS(0), func(p **manifest.Document) []manifest.Object {
		(*p).Items = (*p).Objects()
		return (*p).Items
	}) {
		for _, it := range items {
			if it.Err != nil || is(it.Content) {
				all = append(all, it)
			}
		}
	}
	return all
}
