package celrule

import "time"

// Tests wait for evaluations also on a slow machine.
func init() { evaluations.timeout = 5 * time.Minute }
