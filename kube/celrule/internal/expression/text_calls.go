package expression

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// search returns the arguments of indexOf and lastIndexOf, and the byte offset
// of the character at which the search begins. ok is false if CEL needs no
// search, or returns an error.
func search(args []ref.Val, last bool) (text, part string, at int, ok bool) {
	s, first := args[0].(types.String)
	p, second := args[1].(types.String)
	if !first || !second || p == "" || len(args) > 3 {
		return "", "", 0, false
	}
	text, part = valid(string(s)), valid(string(p))
	if len(args) == 2 {
		if last {
			at = len(text)
		}
		return text, part, at, text != ""
	}
	from, isInt := args[2].(types.Int)
	if !isInt || from < 0 || int64(from) >= int64(utf8.RuneCountInString(text)) {
		return "", "", 0, false
	}
	for range from {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return text, part, at, true
}

// valid replaces bytes that are not UTF-8, as a conversion to characters does.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// indexOf is CEL's indexOf in linear time. CEL compares all characters at each
// position.
func indexOf(_ *Meter, args []ref.Val) (ref.Val, bool) {
	text, part, at, ok := search(args, false)
	if !ok {
		return nil, false
	}
	found := strings.Index(text[at:], part)
	if found < 0 {
		return types.Int(-1), true
	}
	return types.Int(utf8.RuneCountInString(text[:at+found])), true
}

// lastIndexOf is CEL's lastIndexOf in linear time.
func lastIndexOf(_ *Meter, args []ref.Val) (ref.Val, bool) {
	text, part, at, ok := search(args, true)
	if !ok {
		return nil, false
	}
	found := strings.LastIndex(text[:min(at+len(part), len(text))], part)
	if found < 0 {
		return types.Int(-1), true
	}
	return types.Int(utf8.RuneCountInString(text[:found])), true
}

const (
	maxPattern       = 10_000  // instructions of a regular expression.
	maxCachedPattern = 200_000 // instructions of all cached expressions.
)

// A pattern is a compiled regular expression.
type pattern struct {
	expression *regexp.Regexp
	size       int // its approximate number of instructions
	err        error
}

// patterns is the cache of regular expressions.
var patterns struct {
	mu   sync.Mutex // guards the fields below
	kept map[string]*pattern
	size int
}

// patternOf returns a regular expression from the cache, or compiles it.
func patternOf(text string) *pattern {
	patterns.mu.Lock()
	p := patterns.kept[text]
	patterns.mu.Unlock()
	if p != nil {
		return p
	}
	p = compilePattern(text)
	patterns.mu.Lock()
	defer patterns.mu.Unlock()
	if patterns.kept == nil || patterns.size > maxCachedPattern {
		patterns.kept, patterns.size = map[string]*pattern{}, 0
	}
	if patterns.kept[text] == nil {
		patterns.kept[text] = p
		patterns.size += p.size
	}
	return p
}

// compilePattern compiles a regular expression unless it is too large: x{1000}
// is short, but has a thousand instructions.
func compilePattern(text string) *pattern {
	p := &pattern{size: 1 + len(text)}
	if len(text) > maxPattern {
		p.err = errCost
		return p
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		p.err = err
		return p
	}
	if p.size += instructions(tree); p.size > maxPattern {
		p.size, p.err = 1+len(text), errCost
		return p
	}
	p.expression, p.err = regexp.Compile(text)
	return p
}

// instructions returns the approximate number of instructions of a regular
// expression. It stops counting soon after maxPattern.
func instructions(tree *syntax.Regexp) int {
	n := 1 + len(tree.Rune)
	for _, sub := range tree.Sub {
		n = min(n+instructions(sub), maxPattern+1)
	}
	if tree.Op == syntax.OpRepeat {
		n = min(n*max(tree.Min, tree.Max, 1), maxPattern+1)
	}
	return n
}

// matchSteps returns the cost of a search, which executes each instruction at
// each character.
func matchSteps(args []ref.Val) int {
	text, first := args[0].(types.String)
	expression, second := args[1].(types.String)
	if !first || !second || len(text) > MaxText || len(expression) > MaxText {
		return textSteps(args)
	}
	return min(1+(len(text)+1)*patternOf(string(expression)).size/charactersPerStep, MaxSteps+1)
}

// matches is CEL's matches with a cached regular expression.
func matches(_ *Meter, args []ref.Val) (ref.Val, bool) {
	text, first := args[0].(types.String)
	expression, second := args[1].(types.String)
	if !first || !second {
		return nil, false
	}
	p := patternOf(string(expression))
	if p.err != nil {
		return types.WrapErr(p.err), true
	}
	return types.Bool(p.expression.MatchString(string(text))), true
}
