package growth

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// The code below reads the files of a program that was built with -cover, in the format of the
// toolchain's internal/coverage. go tool covdata reads them too, but takes longer than most
// runs of the command. A test compares both.

// A legend maps each counter to its statements: by package, function and counter.
type legend [][][]block

// A block is a sequence of statements with one counter.
type block struct {
	at         string // FILE:LINE.COLUMN,LINE.COLUMN
	statements int64
}

var (
	legendMagic  = []byte("\x00cvm")
	counterMagic = []byte("\x00cwm")
)

// version is the version of both formats.
const version = 1

var errFormat = errors.New("the toolchain writes counters in another format now")

// readLegend reads a file covmeta.*.
func readLegend(file []byte) (all legend, err error) {
	r := &reader{text: file}
	if !bytes.Equal(r.next(4), legendMagic) || r.uint32() != version {
		return nil, errFormat
	}
	r.next(8) // the length of the file
	packages := r.uint64()
	r.next(16 + 4 + 4 + 8) // hash, table of texts, modes
	for range packages {
		if r.failed {
			break
		}
		at := r.uint64()
		all = append(all, (&reader{text: file, at: int(at)}).packageOf(r))
	}
	if r.failed {
		return nil, errFormat
	}
	return all, nil
}

// packageOf reads the part about one package. It sets the error of r on failure.
func (p *reader) packageOf(r *reader) (functions [][]block) {
	start := p.at
	p.next(4 * 4)  // length, name, path and module
	p.next(16 + 4) // hash
	p.uint32()     // the number of files
	var offsets []int
	for n := p.uint32(); n > 0 && !p.failed; n-- {
		offsets = append(offsets, start+int(p.uint32()))
	}
	var texts []string
	for n := p.uleb(); n > 0 && !p.failed; n-- {
		texts = append(texts, string(p.next(int(p.uleb()))))
	}
	for _, at := range offsets {
		p.at = at
		blocks := p.uleb()
		p.uleb() // the name of the function
		file := p.uleb()
		if p.failed || file >= uint64(len(texts)) {
			p.failed = true
			break
		}
		var function []block
		for ; blocks > 0 && !p.failed; blocks-- {
			place := fmt.Sprintf("%s:%d.%d,%d.%d", texts[file], p.uleb(), p.uleb(), p.uleb(), p.uleb())
			function = append(function, block{place, int64(p.uleb())})
		}
		functions = append(functions, function)
	}
	r.failed = r.failed || p.failed
	return functions
}

// steps reads a file covcounters.*. It returns the places that were executed, in descending
// order of steps.
func (l legend) steps(file []byte) (all []Place, err error) {
	r := &reader{text: file}
	if !bytes.Equal(r.next(4), counterMagic) || r.uint32() != version {
		return nil, errFormat
	}
	r.next(16) // hash
	number := r.uleb
	if flavor := r.next(8); flavor != nil && flavor[0] == 1 { // not packed
		number = func() uint64 { return uint64(r.uint32()) }
	}
	functions := r.uint64()
	r.next(int(r.uint32()) + int(r.uint32())) // skips texts and arguments by their lengths
	r.next(-r.at & 3)
	for ; functions > 0 && !r.failed; functions-- {
		counters, in, function := number(), number(), number()
		if r.failed || in >= uint64(len(l)) || function >= uint64(len(l[in])) || counters > uint64(len(l[in][function])) {
			return nil, errFormat
		}
		for _, b := range l[in][function][:counters] {
			if n := number(); n > 0 {
				all = append(all, Place{b.at, b.statements * int64(n)})
			}
		}
	}
	if r.failed {
		return nil, errFormat
	}
	slices.SortFunc(all, func(a, b Place) int { return cmp.Compare(b.Steps, a.Steps) })
	return all, nil
}

// A reader reads numbers from a text. A read beyond the end sets its error.
type reader struct {
	text   []byte
	at     int
	failed bool
}

// next returns the next n bytes, or nil if fewer remain.
func (r *reader) next(n int) []byte {
	if r.failed = r.failed || n < 0 || r.at < 0 || r.at > len(r.text) || n > len(r.text)-r.at; r.failed {
		return nil
	}
	r.at += n
	return r.text[r.at-n : r.at]
}

func (r *reader) uint32() uint32 {
	if text := r.next(4); text != nil {
		return binary.LittleEndian.Uint32(text)
	}
	return 0
}

func (r *reader) uint64() uint64 {
	if text := r.next(8); text != nil {
		return binary.LittleEndian.Uint64(text)
	}
	return 0
}

// uleb reads a number in ULEB128.
func (r *reader) uleb() uint64 {
	n, length := binary.Uvarint(r.text[min(max(r.at, 0), len(r.text)):])
	if length <= 0 {
		r.failed = true
		return 0
	}
	r.at += length
	return n
}
