// Command local measures kstatus get --local on many objects, and compares it with decoding only.
// That is a process that decodes the same file as kubectl does, and does nothing else. Both take
// turns. It exits with 1 if judging and printing cost more than half as much as decoding.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"sigs.k8s.io/yaml"

	"kstatus.dev/test/bench"
)

// The processor time that get --local may take, in multiples of the time for decoding.
const mostRatio = 1.5

func main() {
	binary := flag.String("kstatus", "bin/kstatus", "the command to measure")
	count := flag.Int("objects", 10_000, "how many objects")
	rounds := flag.Int("rounds", 5, "how often each takes its turn")
	decode := flag.String("decode", "", "decode this file, and nothing else")
	flag.Parse()
	if *decode != "" {
		exitOn(decodeFile(*decode))
		return
	}
	kept, err := report(os.Stdout, *binary, *count, *rounds)
	exitOn(err)
	if !kept {
		os.Exit(1)
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench local:", err)
		os.Exit(1)
	}
}

// decodeFile decodes a stream of YAML documents, or one JSON document.
func decodeFile(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if filepath.Ext(file) == ".json" {
		var list map[string]any
		return json.Unmarshal(text, &list)
	}
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var object map[string]any
		if err := yaml.Unmarshal(document, &object); err != nil {
			return err
		}
	}
	return nil
}

// A contestant is a measured command line.
type contestant struct {
	name string
	args []string
}

// A measure is the cost of a process.
type measure struct{ wall, processor time.Duration }

// report prints the table and reports whether the YAML run is within the budget.
func report(out io.Writer, binary string, count, rounds int) (kept bool, err error) {
	dir, err := os.MkdirTemp("", "kstatus-bench-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	files, err := write(dir, count)
	if err != nil {
		return false, err
	}
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	kept = true
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "%d objects\tMB\twall\tprocessor\tratio\t\n", count)
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return false, err
		}
		all := []contestant{
			{"decoding alone", []string{self, "-decode", file}},
			{"get -o table", []string{binary, "get", "--local", "-f", file}},
			{"get -o json", []string{binary, "get", "--local", "-f", file, "-o", "json"}},
		}
		measures, err := compare(all, rounds)
		if err != nil {
			return false, err
		}
		for i, m := range measures {
			ratio := float64(m.processor) / float64(measures[0].processor)
			fmt.Fprintf(table, "%s, %s\t%.1f\t%s\t%s\t%.2f\t\n", filepath.Ext(file)[1:], all[i].name,
				float64(info.Size())/1e6, m.wall.Round(time.Millisecond), m.processor.Round(time.Millisecond), ratio)
			kept = kept && (ratio <= mostRatio || filepath.Ext(file) != ".yaml")
		}
	}
	if err := table.Flush(); err != nil {
		return false, err
	}
	if !kept {
		fmt.Fprintf(out, "budget missed: at most %.1f times the processor time of decoding YAML\n", mostRatio)
	}
	return kept, nil
}

// write writes the objects of the package repeatedly, each time with other names, as YAML
// documents and as a JSON list.
func write(dir string, count int) (files []string, err error) {
	objects, err := bench.Objects()
	if err != nil {
		return nil, err
	}
	if len(objects) == 0 {
		return nil, errors.New("no objects to write")
	}
	var documents bytes.Buffer
	items := make([]any, 0, count)
	for i := range count {
		o := objects[i%len(objects)].DeepCopy()
		o.SetName(fmt.Sprintf("%s-%d", o.GetName(), i))
		text, err := yaml.Marshal(o.Object)
		if err != nil {
			return nil, err
		}
		documents.WriteString("---\n")
		documents.Write(text)
		items = append(items, o.Object)
	}
	list, err := json.MarshalIndent(map[string]any{"apiVersion": "v1", "kind": "List", "items": items}, "", "    ")
	if err != nil {
		return nil, err
	}
	files = []string{filepath.Join(dir, "objects.yaml"), filepath.Join(dir, "objects.json")}
	return files, errors.Join(os.WriteFile(files[0], documents.Bytes(), 0o600), os.WriteFile(files[1], list, 0o600))
}

// compare runs the contestants in turns and returns their medians.
func compare(all []contestant, rounds int) ([]measure, error) {
	walls, processors := make([][]time.Duration, len(all)), make([][]time.Duration, len(all))
	for range rounds {
		for i, c := range all {
			m, err := run(c)
			if err != nil {
				return nil, err
			}
			walls[i], processors[i] = append(walls[i], m.wall), append(processors[i], m.processor)
		}
	}
	measures := make([]measure, len(all))
	for i := range all {
		measures[i] = measure{median(walls[i]), median(processors[i])}
	}
	return measures, nil
}

func run(c contestant) (measure, error) {
	command := exec.Command(c.args[0], c.args[1:]...)
	command.Stderr = os.Stderr
	began := time.Now()
	if err := command.Run(); err != nil {
		return measure{}, fmt.Errorf("%s: %w", c.name, err)
	}
	return measure{time.Since(began), command.ProcessState.UserTime() + command.ProcessState.SystemTime()}, nil
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
