package main

import (
	"bytes"
	"fmt"
	"strings"
)

// context is the number of equal lines around a change.
const context = 3

// diff returns a unified diff. It has one hunk, because imports are close to each other.
func diff(name string, before, after []byte) string {
	a, b := lines(before), lines(after)
	start := 0
	for start < min(len(a), len(b)) && bytes.Equal(a[start], b[start]) {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && bytes.Equal(a[len(a)-1-end], b[len(b)-1-end]) {
		end++
	}
	first, last := max(0, start-context), max(0, end-context)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n@@ -%s +%s @@\n", name, name, span(first, len(a)-last), span(first, len(b)-last))
	show := func(mark string, lines [][]byte) {
		for _, line := range lines {
			fmt.Fprintf(&out, "%s%s\n", mark, bytes.TrimSuffix(line, []byte("\n")))
		}
	}
	show(" ", a[first:start])
	show("-", a[start:len(a)-end])
	show("+", b[start:len(b)-end])
	show(" ", a[len(a)-end:len(a)-last])
	return out.String()
}

// lines splits a text after each line break.
func lines(text []byte) [][]byte {
	all := bytes.SplitAfter(text, []byte("\n"))
	if last := len(all) - 1; len(all[last]) == 0 {
		return all[:last]
	}
	return all
}

// span returns the first line and the number of lines, as a diff has them.
func span(first, end int) string { return fmt.Sprintf("%d,%d", first+1, end-first) }
