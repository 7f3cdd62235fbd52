// Package expansion limits the expansion of aliases in a YAML document. It
// checks the parsed document without expanding it, so that a small text cannot
// take much memory.
//
// The package is independent of parsers: the modules of kstatus parse with
// libraries that this module does not require.
package expansion

import "fmt"

const (
	// MaxValues is the number of values to which the aliases of one document
	// may expand.
	MaxValues = 100_000
	// MaxBytes is the number of bytes of text to which the aliases of one
	// document may expand.
	MaxBytes = 4 << 20
)

// A Node describes a node of a document for [Check].
type Node[N comparable] struct {
	Text    string
	Content []N
	Named   bool // the content is pairs of names and values, whose names do not count as values.
	Target  N    // the anchor of an alias, which has no other fields; otherwise the zero value.
}

// size returns the size of the node without its content. It subtracts the names
// in the content, which would count as values.
func (n Node[N]) size() size {
	s := size{1, len(n.Text)}
	if n.Named {
		s.values -= len(n.Content) / 2
	}
	return s
}

// A size is the size of a part of a document after the expansion of its
// aliases.
type size struct{ values, bytes int }

func (s size) plus(t size) size { return size{s.values + t.values, s.bytes + t.bytes} }

// isTooLarge reports whether a size exceeds the limits. Callers stop at once,
// so that sums do not overflow.
func (s size) isTooLarge() bool { return s.values > MaxValues || s.bytes > MaxBytes }

// Check returns an error if the aliases of a document expand to more than
// [MaxValues] or [MaxBytes], and the alias that exceeds the limit. The
// document's own text does not count. An alias within its own anchor has size
// zero. The running time is linear in the number of nodes.
func Check[N comparable](root N, describe func(N) Node[N]) (at N, err error) {
	c := checker[N]{describe: describe, sizes: map[N]size{}, inProgress: map[N]bool{}}
	var total size
	var walk func(n N) bool
	walk = func(n N) bool {
		var none N
		seen := describe(n)
		if seen.Target != none {
			if total = total.plus(c.size(seen.Target)); total.isTooLarge() {
				at = n
				return false
			}
			return true
		}
		for _, below := range seen.Content {
			if !walk(below) {
				return false
			}
		}
		return true
	}
	switch walk(root); {
	case total.values > MaxValues:
		return at, fmt.Errorf("aliases expand to more than %d values", MaxValues)
	case total.bytes > MaxBytes:
		return at, fmt.Errorf("aliases expand to more than %d bytes", MaxBytes)
	}
	return at, nil
}

// A checker computes the size of each anchor once.
type checker[N comparable] struct {
	describe   func(N) Node[N]
	sizes      map[N]size // of anchors.
	inProgress map[N]bool // anchors whose size is being computed.
}

// size returns the size of an anchor. It is not exact if it is too large.
func (c checker[N]) size(anchor N) size {
	if known, ok := c.sizes[anchor]; ok || c.inProgress[anchor] {
		return known
	}
	c.inProgress[anchor] = true
	s := c.measure(anchor, size{})
	delete(c.inProgress, anchor)
	c.sizes[anchor] = s
	return s
}

// measure adds the size of a node, and stops once the sum is too large.
func (c checker[N]) measure(n N, s size) size {
	var none N
	seen := c.describe(n)
	if seen.Target != none {
		return s.plus(c.size(seen.Target))
	}
	s = s.plus(seen.size())
	for _, below := range seen.Content {
		if s.isTooLarge() {
			return s
		}
		s = c.measure(below, s)
	}
	return s
}
