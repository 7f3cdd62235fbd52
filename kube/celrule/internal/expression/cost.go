package expression

import "github.com/google/cel-go/checker"

// What an expression may be and cost. The unit of cost is a step of an evaluation. A rule
// that is of use costs some hundreds of them, and some microseconds.
const (
	MaxSteps = 1_000_000 // steps of the evaluation of a rule
	MaxText  = 64 << 10  // bytes of a text that an expression reads

	maxTextLength     = 4 << 10 // characters of an expression
	maxNesting        = 50      // how deep parentheses, lists and calls may be nested
	assumedItems      = 100     // how many items a list, or characters a text, is taken to have before there is an object
	charactersPerStep = 10      // how many characters of a text are read in one step
	mostCopies        = 4       // how many constructs an expression may have that double the cost of compiling it
)

// costEstimator estimates the sizes of what is known only when there is an object.
type costEstimator struct{}

// EstimateSize returns the same range for everything.
func (costEstimator) EstimateSize(checker.AstNode) *checker.SizeEstimate {
	return &checker.SizeEstimate{Max: assumedItems}
}

// EstimateCallCost knows what all() does to a size: nothing.
func (costEstimator) EstimateCallCost(function, _ string, _ *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	if function != nonEmpty || len(args) != 1 {
		return nil
	}
	size := args[0].ComputedSize()
	if size == nil {
		size = &checker.SizeEstimate{Max: assumedItems}
	}
	return &checker.CallEstimate{CostEstimate: checker.FixedCostEstimate(1), ResultSize: size}
}
