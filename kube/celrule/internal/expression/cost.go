package expression

import "github.com/google/cel-go/checker"

// These are the limits of expressions. The unit of cost is a step of an
// evaluation. A typical rule costs some hundreds of steps, and some
// microseconds.
const (
	MaxSteps = 1_000_000 // steps of the evaluation of a rule.
	MaxText  = 64 << 10  // bytes of a text that an expression reads.

	maxTextLength     = 4 << 10 // characters of an expression.
	maxNesting        = 50      // depth of nested parentheses, lists and calls.
	assumedItems      = 100     // assumed size of lists and texts, if there is no object yet.
	charactersPerStep = 10      // characters of a text that are read in one step.
	maxCopies         = 4       // constructs in an expression that double the cost of its compilation.
)

// costEstimator estimates sizes that depend on the object.
type costEstimator struct{}

// EstimateSize returns the same range for everything.
func (costEstimator) EstimateSize(checker.AstNode) *checker.SizeEstimate {
	return &checker.SizeEstimate{Max: assumedItems}
}

// EstimateCallCost tells CEL that all() does not change a size.
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
