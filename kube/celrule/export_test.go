package celrule

import "time"

// Tests wait for evaluations also on a slow machine.
func init() { evaluations.patience = 5 * time.Minute }
