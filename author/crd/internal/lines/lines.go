// Package lines splits texts into lines, and compares texts line by line.
package lines

import (
	"bytes"
	"fmt"
	"slices"
)

// A Hunk is a change of consecutive lines.
type Hunk struct {
	Line    int // the first changed line of the old text, counted from 1; added lines come before it
	Removed int // number of removed lines
	Added   string
}

// maxDifferences limits the number of different lines between two equal parts.
// With more, the rest of the texts counts as different.
const maxDifferences = 4000

// longMatch is the number of equal lines that splits a comparison: the parts
// before and after are compared separately. So the cost grows with the length
// of the texts, and not with the product of length and differences.
const longMatch = 40

// Hunks returns the changes from one text to another, in order. They affect few
// lines.
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

// A gap is a range of lines in each list that the lists do not have in common.
type gap struct{ a, endA, b, endB int }

// findGaps returns the gaps between the common lines of two lists.
func findGaps(a, b [][]byte) (gaps []gap) {
	for atA, atB := 0, 0; atA < len(a) || atB < len(b); {
		found, endA, endB := firstGaps(a[atA:], b[atB:])
		for _, g := range found {
			gaps = append(gaps, gap{atA + g.a, atA + g.endA, atB + g.b, atB + g.endB})
		}
		atA, atB = atA+endA, atB+endB
	}
	return gaps
}

// firstGaps returns the gaps before the first long match, and the end of that
// match. It uses Myers' algorithm: An O(ND) Difference Algorithm and Its
// Variations (1986).
func firstGaps(a, b [][]byte) (gaps []gap, endA, endB int) {
	n, m := len(a), len(b)
	furthest := []int{0, 0, 0} // by diagonal, the position in a; the middle is diagonal 0
	var trace [][]int
	for d := 0; d <= min(n+m, maxDifferences); d++ {
		trace = append(trace, furthest)
		step := make([]int, len(furthest)+2) // one more diagonal on either side
		copy(step[1:], furthest)
		for k := -d; k <= d; k += 2 {
			at := k + len(step)/2
			x := 0
			switch {
			case d == 0:
			case k == -d || k != d && step[at-1] < step[at+1]:
				x = step[at+1]
			default:
				x = step[at-1] + 1
			}
			start := x
			for x < n && x-k < m && bytes.Equal(a[x], b[x-k]) {
				x++
			}
			step[at] = x
			if x >= n && x-k >= m || d > 0 && x-start >= longMatch {
				return backtrack(trace, x, x-k), x, x - k
			}
		}
		furthest = step
	}
	return []gap{{0, n, 0, m}}, n, m
}

// backtrack follows the trace from the end to the beginning.
func backtrack(trace [][]int, x, y int) (gaps []gap) {
	for d := len(trace) - 1; d > 0; d-- {
		k, furthest := x-y, trace[d]
		at := k + len(furthest)/2
		from := k - 1
		if k == -d || k != d && furthest[at-1] < furthest[at+1] {
			from = k + 1
		}
		wasX := furthest[from+len(furthest)/2]
		wasY := wasX - from
		endX, endY := wasX+1, wasY // a line of a is removed
		if from == k+1 {
			endX, endY = wasX, wasY+1 // a line of b is added
		}
		if last := len(gaps) - 1; last >= 0 && gaps[last].a == endX && gaps[last].b == endY {
			gaps[last].a, gaps[last].b = wasX, wasY
		} else {
			gaps = append(gaps, gap{wasX, endX, wasY, endY})
		}
		x, y = wasX, wasY
	}
	slices.Reverse(gaps)
	return gaps
}

// contextLines is the number of lines that are shown around a change.
const contextLines = 3

// Diff returns the difference between two texts in the format of diff -u. It is
// empty if the texts are equal.
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
		n := 1 // the number of adjacent hunks that are shown as one
		for n < len(hunks) && hunks[n].Line-(hunks[n-1].Line+hunks[n-1].Removed) <= 2*contextLines {
			n++
		}
		grown += group(&out, lines, hunks[:n], grown)
		hunks = hunks[n:]
	}
	return out.Bytes()
}

// group writes hunks with their context. It returns by how many lines the new
// text is longer.
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

// Starts returns the offsets of lines, as YAML counts lines.
func Starts(text []byte) []int {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n', text[i] == '\r' && !bytes.HasPrefix(text[i+1:], []byte("\n")):
			starts = append(starts, i+1)
		case bytes.HasPrefix(text[i:], []byte("\u0085")):
			starts = append(starts, i+2)
		case bytes.HasPrefix(text[i:], []byte("\u2028")), bytes.HasPrefix(text[i:], []byte("\u2029")):
			starts = append(starts, i+3)
		}
	}
	return starts
}
