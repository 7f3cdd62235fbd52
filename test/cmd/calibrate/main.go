// Command calibrate measures how often the verdicts of each confidence are right. It runs
// kstatus get --local over folders of objects with known answers, and prints a table.
//
//	go run ./test/cmd/calibrate -kstatus bin/kstatus FOLDER... [-- FLAGS of kstatus]
//
// A folder has cases/ID.yaml, an index.json with the expected statuses of each case, and may have
// the definitions of the kinds in crds.yaml.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
)

func main() {
	binary := flag.String("kstatus", "bin/kstatus", "the command to measure")
	flag.Parse()
	folders, flags := flag.Args(), []string(nil)
	if i := slices.Index(folders, "--"); i >= 0 {
		folders, flags = folders[:i], folders[i+1:]
	}
	if len(folders) == 0 {
		fmt.Fprintln(os.Stderr, "calibrate: want a folder with index.json and cases")
		os.Exit(2)
	}
	if err := report(os.Stdout, *binary, folders, flags); err != nil {
		fmt.Fprintln(os.Stderr, "calibrate:", err)
		os.Exit(1)
	}
}

// report prints the tables for the cases of all folders.
func report(out io.Writer, binary string, folders, flags []string) error {
	confidences, current, rules := tally{}, tally{}, tally{}
	for _, folder := range folders {
		verdicts, err := judge(binary, folder, flags)
		if err != nil {
			return err
		}
		cases, err := readCases(folder)
		if err != nil {
			return err
		}
		for _, c := range cases {
			v, known := verdicts[c.ID]
			if !known {
				return fmt.Errorf("%s: kstatus prints no verdict for case %s", folder, c.ID)
			}
			confidences.add(v.Confidence, c, v)
			if v.Status == "Current" {
				current.add(v.Confidence, c, v)
				rules.add(v.Confidence+", "+v.Rule, c, v)
			}
		}
	}
	confidences.print(out, "confidence")
	current.print(out, "confidence of Current")
	rules.print(out, "what decided Current")
	return nil
}

// A tally counts verdicts by a property of them.
type tally map[string]*score

// A score counts the verdicts that are right.
type score struct{ strict, strictOf, lenient, lenientOf int }

// add counts a verdict on a case. A case without a strict answer counts only leniently.
func (t tally) add(key string, c testCase, v verdict) {
	s := t[key]
	if s == nil {
		s = &score{}
		t[key] = s
	}
	if len(c.Expected) > 0 {
		s.strictOf++
		if slices.Contains(c.Expected, v.Status) {
			s.strict++
		}
	}
	if len(c.Lenient) > 0 {
		s.lenientOf++
		if slices.Contains(c.Lenient, v.Status) {
			s.lenient++
		}
	}
}

// confidences are the levels of confidence, highest first.
var confidences = []string{"explicit", "strong", "medium", "assumed"}

// print prints the tally as a table, the highest confidence first.
func (t tally) print(out io.Writer, title string) {
	keys := make([]string, 0, len(t))
	for key := range t {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "%s\tverdicts\tstrict\tlenient\n", title)
	for _, key := range keys {
		s := t[key]
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", key, s.lenientOf, share(s.strict, s.strictOf), share(s.lenient, s.lenientOf))
	}
	fmt.Fprintln(w)
	w.Flush() //nolint:errcheck // the next write reports it
}

// rank returns the index of the confidence with which a key begins.
func rank(key string) int {
	return slices.IndexFunc(confidences, func(c string) bool { return len(key) >= len(c) && key[:len(c)] == c })
}

// share formats a part of a whole in percent.
func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d = %.1f %%", part, whole, 100*float64(part)/float64(whole))
}
