package printer

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"k8s.io/apimachinery/pkg/util/duration"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// A Tree prints verdicts as trees: each object is below the parent in its line. It prints at the
// end, when the widths are known.
type Tree struct {
	Out     io.Writer
	Options Options
	Whole   bool // do not fold or join objects
	all     []*branch
	at      map[status.ID]*branch
}

// A branch is an object with the objects below it.
type branch struct {
	output.Verdict
	parent *branch
	parts  []*branch
}

// Start prints nothing.
func (t *Tree) Start(output.Start) error { return nil }

// Object adds an object.
func (t *Tree) Object(v output.Verdict) error {
	if v.ID.Kind.Kind == "" && v.ID.Name == "" {
		return nil // documents that are not objects are printed to standard error
	}
	b := &branch{Verdict: v}
	if v.Parent != nil && t.at[*v.Parent] != nil {
		b.parent = t.at[*v.Parent]
		b.parent.parts = append(b.parent.parts, b)
	}
	if t.at == nil {
		t.at = map[status.ID]*branch{}
	}
	t.at[v.ID] = b
	t.all = append(t.all, b)
	return nil
}

// A treeLine is one line of a tree. The line of a group has no word and no age, and its text
// begins in the column of words.
type treeLine struct {
	lead, object, word, age, why string
	fold                         bool
}

// End prints the trees.
func (t *Tree) End(output.Result) error {
	if len(t.all) == 0 {
		return nil
	}
	var roots []*branch
	for _, b := range t.all {
		if b.parent == nil {
			roots = append(roots, b)
		}
	}
	namer := t.namer(roots)
	var lines []treeLine
	for _, root := range roots {
		lines = t.lines(lines, root, namer, "", "")
	}
	if t.Options.Headers {
		lines = slices.Insert(lines, 0, treeLine{object: "OBJECT", word: "STATUS", age: "AGE", why: "MESSAGE"})
	}
	return t.print(lines)
}

// lines appends the lines of a branch and of its descendants. lead is the prefix of its own
// line, and below the prefix of the lines below it.
func (t *Tree) lines(all []treeLine, b *branch, name func(*branch) string, lead, below string) []treeLine {
	line := treeLine{lead: lead, object: name(b)}
	some, folds := t.arrangeParts(b.parts)
	for !t.Whole && len(some) == 1 && len(folds) == 0 && b.addsNothing(some[0]) {
		b = some[0]
		line.object += " > " + name(b)
		some, folds = t.arrangeParts(b.parts)
	}
	line.word, line.age, line.why = statusText(b.Verdict), t.age(b.Verdict), b.why()
	all = append(all, line)
	between, last, bar := "|- ", "`- ", "|  "
	if t.Options.UTF8 {
		between, last, bar = "├─ ", "└─ ", "│  "
	}
	for i, part := range some {
		if i == len(some)-1 && len(folds) == 0 {
			all = t.lines(all, part, name, below+last, below+"   ")
		} else {
			all = t.lines(all, part, name, below+between, below+bar)
		}
	}
	for i, f := range folds {
		f.lead = below + between
		if i == len(folds)-1 {
			f.lead = below + last
		}
		all = append(all, f)
	}
	return all
}

// maxSimilar is how many objects of a kind with the same text are shown one by one.
const maxSimilar = 3

// arrangeParts returns the parts of an object to show, and lines for groups of the others. The
// parts that are not Current come first. A group has parts that are Current with all their
// descendants, or similar parts.
func (t *Tree) arrangeParts(parts []*branch) (some []*branch, folds []treeLine) {
	if t.Whole {
		return parts, nil
	}
	type alike struct{ kind, word, why string }
	counts := map[alike]int{}
	var there, more []*branch
	for _, p := range parts {
		say := alike{p.ID.Kind.Kind, statusText(p.Verdict), p.why()}
		switch {
		case p.isCurrent():
			there = append(there, p)
			continue
		case len(p.parts) == 0:
			if counts[say]++; counts[say] > maxSimilar {
				more = append(more, p)
				continue
			}
		}
		some = append(some, p)
	}
	folds = groupByStatus(more)
	if len(there) == 1 && len(there[0].parts) == 0 {
		return append(some, there[0]), folds
	} else if len(there) > 0 {
		folds = append(folds, groupLine("Current", there))
	}
	return some, folds
}

// groupByStatus returns the lines of groups for objects that are not Current, one per status.
func groupByStatus(all []*branch) (folds []treeLine) {
	by := map[string][]*branch{}
	for _, b := range all {
		word := statusText(b.Verdict)
		by[word] = append(by[word], b)
	}
	for _, word := range slices.Sorted(maps.Keys(by)) {
		folds = append(folds, groupLine(word, by[word]))
	}
	return folds
}

// groupLine returns the line of a group of objects with their descendants.
func groupLine(word string, all []*branch) treeLine {
	counts := map[string]int{}
	n := 0
	var count func([]*branch)
	count = func(all []*branch) {
		for _, b := range all {
			n++
			counts[b.ID.Kind.Kind]++
			count(b.parts)
		}
	}
	count(all)
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b))
	})
	for i, kind := range kinds {
		kinds[i] = text.Count(counts[kind], kind)
	}
	return treeLine{object: fmt.Sprintf("%d more %s", n, word), why: strings.Join(kinds, ", "), fold: true}
}

// isCurrent reports whether an object and its descendants are Current and without a warning.
func (b *branch) isCurrent() bool {
	return b.Status == status.CurrentStatus && b.Confidence != status.ConfidenceAssumed && b.Suspended == "" && len(b.AllWarnings()) == 0 &&
		!slices.ContainsFunc(b.parts, func(p *branch) bool { return !p.isCurrent() })
}

// addsNothing reports whether the object, which a controller created, tells nothing of its own. It is
// in progress without details, or has the problem of its only part. An example is a ReplicaSet with
// only one Pod.
func (b *branch) addsNothing(part *branch) bool {
	word := statusText(b.Verdict)
	ofPart := word == statusText(part.Verdict) && b.Reason == part.Reason
	if b.parent == nil || b.ObjectFact == nil || word != string(status.InProgressStatus) && !ofPart {
		return false
	}
	owners := decoded.List(b.ObjectFact.Object, "metadata", "ownerReferences")
	return len(owners) > 0
}

// why returns the text after the status of an object. For a Current object, it is only its
// suspension and its warnings.
func (b *branch) why() string {
	v := b.Verdict
	v.Suspended = "" // the message says it
	warnings := v.AllWarnings()
	switch {
	case b.Status == status.CurrentStatus && len(warnings) > 0:
		return "warning: " + strings.Join(warnings, "; ")
	case b.Status == status.CurrentStatus && b.Suspended == "":
		return ""
	}
	return b.Message
}

func (t *Tree) age(v output.Verdict) string {
	if v.Created.IsZero() {
		return ""
	}
	return duration.HumanDuration(t.Options.Now.Sub(v.Created))
}

// namer returns a function that names objects. A name has the namespace only if that differs
// from the parent's, or if there are several. It has the group only if two groups have the kind.
// At the root it has the cluster.
func (t *Tree) namer(roots []*branch) func(*branch) string {
	groups, spaces := map[string]map[string]bool{}, map[string]bool{}
	for _, b := range t.all {
		if groups[b.ID.Kind.Kind] == nil {
			groups[b.ID.Kind.Kind] = map[string]bool{}
		}
		groups[b.ID.Kind.Kind][b.ID.Group] = true
	}
	for _, b := range roots {
		spaces[b.ID.Namespace] = true
	}
	delete(spaces, "")
	return func(b *branch) string {
		name := b.ID.Kind.Kind
		if len(groups[name]) > 1 {
			name = status.Kind{Group: b.ID.Group, Kind: name}.String()
		}
		if b.ID.Namespace != "" && (b.parent == nil && len(spaces) > 1 || b.parent != nil && b.parent.ID.Namespace != b.ID.Namespace) {
			name += "/" + b.ID.Namespace
		}
		name += "/" + b.ID.Name
		if b.parent == nil && b.ID.Cluster != "" {
			name = b.ID.Cluster + ": " + name
		}
		return name
	}
}

// minReasonWidth is the minimum width of reasons. If they have less, ages are omitted.
const minReasonWidth = 16

// print prints the lines in columns, within the width of the terminal.
func (t *Tree) print(lines []treeLine) error {
	object, word, age := 0, 0, 0
	for i, l := range lines {
		l.object, l.why = t.text(l.object), t.text(l.why)
		lines[i] = l
		object = max(object, ansi.StringWidthWc(l.lead+l.object))
		word = max(word, len(l.word))
		age = max(age, len(l.age))
	}
	if width := t.Options.Width; width > 0 {
		object = min(object, max(24, width*9/20))
		if width-object-word-age-3*terminal.Gap < minReasonWidth {
			age = -terminal.Gap // the column does not exist
		}
	}
	out := bufio.NewWriter(t.Out)
	for i, l := range lines {
		room := object - ansi.StringWidthWc(l.lead)
		text := l.lead + terminal.Pad(t.Options.CutMiddle(l.object, max(room, 8)), room)
		switch {
		case l.fold:
			text += l.why
		default:
			shown := l.word
			if i > 0 || !t.Options.Headers {
				shown = t.Options.Paint(l.word, shown)
			}
			text += shown + terminal.Pad("", word-len(l.word))
			if age >= 0 {
				text += terminal.Pad(l.age, age)
			}
			text += l.why
		}
		out.WriteString(strings.TrimRight(t.Options.Cut(text, t.Options.Width), " "))
		out.WriteByte('\n')
	}
	return out.Flush()
}

// text returns text of a cluster that is safe to print. In a file or a pipe, it is in UTF-8 and
// not cut.
func (t *Tree) text(s string) string {
	if t.Options.Width == 0 {
		return text.Line(s)
	}
	return t.Options.Text(s, t.Options.Width)
}
