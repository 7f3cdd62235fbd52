package crd

import (
	"bytes"
	"fmt"
)

// A Hunk is a change of consecutive lines.
type Hunk struct {
	Line    int // the first changed line of the text before, counted from 1; added lines come before it
	Removed int // how many lines are removed
	Added   string
}

// The most lines that may differ before texts count as different throughout.
const maxDifferences = 4000

// Hunks returns the changes that turn one text into another, in order, with as few lines
// as possible.
func Hunks(before, after []byte) []Hunk {
	a, b := linesOf(before), linesOf(after)
	head, tail := 0, 0
	for head < len(a) && head < len(b) && bytes.Equal(a[head], b[head]) {
		head++
	}
	for tail < len(a)-head && tail < len(b)-head && bytes.Equal(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	inA, inB := a[head:len(a)-tail], b[head:len(b)-tail]
	var all []Hunk
	for _, p := range findGaps(inA, inB) {
		if p.endA > p.a || p.endB > p.b {
			all = append(all, Hunk{Line: head + p.a + 1, Removed: p.endA - p.a, Added: string(bytes.Join(inB[p.b:p.endB], nil))})
		}
	}
	return all
}

// linesOf returns the lines of a text, each with its end.
func linesOf(text []byte) [][]byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if last := len(lines) - 1; len(lines[last]) == 0 {
		return lines[:last]
	}
	return lines
}

// A gap is what two lists of lines do not have in common at a place.
type gap struct{ a, endA, b, endB int }

// findGaps returns the gaps between the lines that two lists have in common, by
// Myers' algorithm: An O(ND) Difference Algorithm and Its Variations (1986).
func findGaps(a, b [][]byte) (gaps []gap) {
	n, m := len(a), len(b)
	furthest := map[int]int{1: 0} // by diagonal, how far in a
	var trace []map[int]int
	for d := 0; d <= min(n+m, maxDifferences); d++ {
		step := make(map[int]int, len(furthest))
		for k, x := range furthest {
			step[k] = x
		}
		trace = append(trace, step)
		for k := -d; k <= d; k += 2 {
			x := furthest[k-1] + 1
			if k == -d || k != d && furthest[k-1] < furthest[k+1] {
				x = furthest[k+1]
			}
			for x < n && x-k < m && bytes.Equal(a[x], b[x-k]) {
				x++
			}
			furthest[k] = x
			if x >= n && x-k >= m {
				return backtrack(trace, n, m)
			}
		}
	}
	return []gap{{0, n, 0, m}}
}

// backtrack follows the trace from the end to the beginning.
func backtrack(trace []map[int]int, x, y int) (gaps []gap) {
	for d := len(trace) - 1; d > 0; d-- {
		k, furthest := x-y, trace[d]
		from := k - 1
		if k == -d || k != d && furthest[k-1] < furthest[k+1] {
			from = k + 1
		}
		wasX := furthest[from]
		wasY := wasX - from
		endX, endY := wasX+1, wasY // a line of a goes
		if from == k+1 {
			endX, endY = wasX, wasY+1 // a line of b comes
		}
		if len(gaps) > 0 && gaps[0].a == endX && gaps[0].b == endY {
			gaps[0].a, gaps[0].b = wasX, wasY
		} else {
			gaps = append([]gap{{wasX, endX, wasY, endY}}, gaps...)
		}
		x, y = wasX, wasY
	}
	return gaps
}

// contextLines is how many lines are shown around a change.
const contextLines = 3

// Diff returns the difference between two texts as diff -u prints it. It is empty if the
// texts are equal.
func Diff(name string, before, after []byte) []byte {
	hunks := Hunks(before, after)
	if len(hunks) == 0 {
		return nil
	}
	lines := linesOf(before)
	var out bytes.Buffer
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", name, name)
	grown := 0
	for len(hunks) > 0 {
		n := 1 // hunks that stand so close together that they are shown as one
		for n < len(hunks) && hunks[n].Line-(hunks[n-1].Line+hunks[n-1].Removed) <= 2*contextLines {
			n++
		}
		grown += group(&out, lines, hunks[:n], grown)
		hunks = hunks[n:]
	}
	return out.Bytes()
}

// group writes hunks with what stands around them, and returns by how many lines they grow.
func group(out *bytes.Buffer, lines [][]byte, hunks []Hunk, grown int) int {
	last := hunks[len(hunks)-1]
	from, to := max(1, hunks[0].Line-contextLines), min(len(lines), last.Line+last.Removed-1+contextLines)
	var body bytes.Buffer
	more, at := 0, from
	for _, h := range hunks {
		write(&body, ' ', lines[at-1:h.Line-1])
		write(&body, '-', lines[h.Line-1:h.Line-1+h.Removed])
		added := linesOf([]byte(h.Added))
		write(&body, '+', added)
		more += len(added) - h.Removed
		at = h.Line + h.Removed
	}
	if at <= to {
		write(&body, ' ', lines[at-1:to])
	}
	count := max(0, to-from+1)
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", from, count, from+grown, count+more)
	out.Write(body.Bytes())
	return more
}

func write(out *bytes.Buffer, mark byte, lines [][]byte) {
	for _, line := range lines {
		out.WriteByte(mark)
		out.Write(line)
		if !bytes.HasSuffix(line, []byte("\n")) {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
