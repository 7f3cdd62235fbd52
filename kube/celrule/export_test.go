package celrule

import "time"

// Tests wait for evaluations however slow the machine is: with the race detector, and
// beside others.
func init() { evaluations.patience = 5 * time.Minute }
