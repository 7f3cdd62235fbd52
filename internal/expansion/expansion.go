// Package expansion bounds what the aliases of a YAML document expand to. It looks at the
// parsed document and expands nothing, so that a small text cannot take much memory.
//
// The package knows no parser: the modules of kstatus parse with libraries that this
// module does not require.
package expansion

import "fmt"

const (
	// MaxValues is how many values the aliases of one document may expand to.
	MaxValues = 100_000
	// MaxBytes is how many bytes of text the aliases of one document may expand to.
	MaxBytes = 4 << 20
)

// A Node is what Check has to know of a node of a document.
type Node[N comparable] struct {
	Text    string
	Content []N
	Named   bool // the content is pairs of names and values, and the names are not to count as values
	Target  N    // what it is an alias of, and nothing else counts; the zero value if it is none
}

// size returns the size of the node without its content. The names in the content count as
// values there, so they are taken off here.
func (n Node[N]) size() size {
	s := size{1, len(n.Text)}
	if n.Named {
		s.values -= len(n.Content) / 2
	}
	return s
}

// A size is how much a part of a document is with its aliases expanded.
type size struct{ values, bytes int }

func (s size) plus(t size) size { return size{s.values + t.values, s.bytes + t.bytes} }

// isTooLarge reports whether a size exceeds what a document may expand to. Callers stop at
// once, so that sums do not overflow.
func (s size) isTooLarge() bool { return s.values > MaxValues || s.bytes > MaxBytes }

// Check returns an error if the aliases of a document expand to more than [MaxValues] or
// [MaxBytes], and the alias at which they do. What is written in the document does not count.
// An alias within its own anchor counts as nothing. The time it takes grows with the nodes
// of the document.
func Check[N comparable](root N, look func(N) Node[N]) (at N, err error) {
	c := checker[N]{look: look, known: map[N]size{}, open: map[N]bool{}}
	var total size
	var walk func(n N) bool
	walk = func(n N) bool {
		var none N
		seen := look(n)
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

// A checker works out once how large each anchor is.
type checker[N comparable] struct {
	look  func(N) Node[N]
	known map[N]size // of anchors
	open  map[N]bool // anchors that are being measured
}

// size returns how large an anchor is, or a size that is too large.
func (c checker[N]) size(anchor N) size {
	if known, ok := c.known[anchor]; ok || c.open[anchor] {
		return known
	}
	c.open[anchor] = true
	s := c.measure(anchor, size{})
	delete(c.open, anchor)
	c.known[anchor] = s
	return s
}

// measure adds the size of a node to a size, and stops if that is too large.
func (c checker[N]) measure(n N, s size) size {
	var none N
	seen := c.look(n)
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
