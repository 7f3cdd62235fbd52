package celrule

import (
	"math"
	"time"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// What an expression may be and cost. The unit of cost is that of CEL: about one
// step of an evaluation. A rule that is of use costs some hundreds of them, and some
// microseconds.
const (
	maxTextLength       = 4 << 10 // characters of an expression
	maxNesting          = 50      // how deep parentheses, lists and calls may be nested
	maxCost             = 1_000_000
	assumedItems        = 100             // how many items a list, or characters a text, is taken to have before there is an object
	maxTime             = 2 * time.Second // the last resort, for what the count of steps does not see, such as how deep two values are compared
	interruptCheckEvery = 100             // so many items of a list are gone through between two looks at the time
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

// callCosts counts what calls cost which CEL takes for one step each, whatever they
// go through: those whose types are known only when they are made, and lists put
// together, which are gone through when somebody asks for their size.
type callCosts struct{}

// CallCost returns the cost of a call; nil for one that CEL knows itself.
func (callCosts) CallCost(function, overload string, args []ref.Val, _ ref.Val) *uint64 {
	if overload != "" && overload != overloads.AddList {
		return nil
	}
	cost := 1.0
	for _, arg := range args {
		if _, grows := arg.(traits.MutableLister); grows { // what map() and filter() collect, an item at a time
			return nil
		}
		switch sized, _ := arg.(traits.Sizer); arg.(type) {
		case types.String, types.Bytes:
			cost += common.StringTraversalCostFactor * float64(sized.Size().(types.Int))
		case traits.Lister:
			if function != "size" {
				cost += float64(sized.Size().(types.Int))
			}
		}
	}
	return new(uint64(math.Ceil(cost)))
}
