// Package dropin switches programs that use kstatus of cli-utils to this engine.
//
// A program imports github.com/fluxcd/cli-utils/pkg/kstatus or sigs.k8s.io/cli-utils/pkg/kstatus.
// One replace line in its go.mod gives it the packages of this module instead. The packages below
// pkg have the names and the paths of the originals.
//
// This package selects the behaviour. [Compat], the default, keeps verdicts and events as they
// were. [Right] corrects them. A program calls [Use] in main, or sets the field Mode of a watcher
// or of the options of a poller. Distributions build with
// -ldflags "-X kstatus.dev/dropin.mode=right". Users set KSTATUS_DROPIN=right in the environment.
package dropin
